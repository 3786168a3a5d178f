package main

import (
	"cmp"
	"html/template"
	"net/http"
	"slices"

	"github.com/jackc/pgx/v5"
)

type fortune struct {
	ID      int
	Message string
}

var fortunesPage = template.Must(template.New("fortunes").Parse(`<!DOCTYPE html>
<html>
<head><title>Fortunes</title></head>
<body>
<table>
<tr><th>id</th><th>message</th></tr>
{{range .}}<tr><td>{{.ID}}</td><td>{{.Message}}</td></tr>
{{end}}</table>
</body>
</html>
`))

// named says what answers, as TechEmpower's rules want it.
func named(w http.ResponseWriter) http.ResponseWriter {
	w.Header().Set("Server", "Go")
	return w
}

func plaintext(w http.ResponseWriter, _ *http.Request) {
	named(w).Header().Set("Content-Type", "text/plain")
	w.Write([]byte("Hello, World!"))
}

func (d database) fortunes(w http.ResponseWriter, r *http.Request) {
	found, _ := d.pool.Query(r.Context(), "SELECT id, message FROM fortune")
	rows, err := pgx.CollectRows(found, pgx.RowToStructByPos[fortune])
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	rows = append(rows, fortune{0, "Brewed for this very request."})
	slices.SortFunc(rows, func(a, b fortune) int { return cmp.Compare(a.Message, b.Message) })
	named(w).Header().Set("Content-Type", "text/html; charset=utf-8")
	fortunesPage.Execute(w, rows)
}
