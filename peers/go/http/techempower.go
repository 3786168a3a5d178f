package main

import (
	"context"
	"html/template"
	"net/http"

	"stampede/go/database"
	"stampede/go/templates"
)

var pages = template.Must(template.ParseFS(templates.Files, "*.html"))

// named says what answers, as TechEmpower's rules want it.
func named(w http.ResponseWriter) http.ResponseWriter {
	w.Header().Set("Server", "Go")
	return w
}

func plaintext(w http.ResponseWriter, _ *http.Request) {
	named(w).Header().Set("Content-Type", "text/plain")
	w.Write([]byte("Hello, World!"))
}

func (s server) world(w http.ResponseWriter, r *http.Request) {
	row, err := s.db.World(r.Context())
	answer(named(w), row, err)
}

type find = func(context.Context, int) ([]database.World, error)

func rows(find find) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		rows, err := find(r.Context(), database.Count(r.URL.Query().Get("queries")))
		answer(named(w), rows, err)
	}
}

func (s server) fortunes(w http.ResponseWriter, r *http.Request) {
	rows, err := s.db.Fortunes(r.Context())
	if err != nil {
		fail(w, err)
		return
	}
	named(w).Header().Set("Content-Type", "text/html; charset=utf-8")
	pages.ExecuteTemplate(w, templates.Fortunes, rows)
}
