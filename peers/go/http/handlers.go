package main

import (
	"encoding/json"
	"io"
	"log"
	"net/http"

	"stampede/go/contract"
	"stampede/go/database"
)

type server struct {
	db    *database.Database
	delay *contract.Delay
}

func text(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain;charset=UTF-8")
	w.Write([]byte("Hello world"))
}

func greet(w http.ResponseWriter, _ *http.Request) {
	answer(w, contract.Greet(), nil)
}

func (s server) now(w http.ResponseWriter, r *http.Request) {
	now, err := s.db.Now(r.Context())
	answer(w, now, err)
}

func (s server) users(w http.ResponseWriter, r *http.Request) {
	users, err := s.db.Users(r.Context())
	answer(w, users, err)
}

func (s server) books(w http.ResponseWriter, r *http.Request) {
	shelf, err := s.db.Books(r.Context())
	answer(w, shelf, err)
}

func (s server) later(w http.ResponseWriter, r *http.Request) {
	html, err := s.delay.Read(queryOf(r))
	if err != nil {
		fail(w, err)
		return
	}
	w.Header().Set("Content-Type", "text/html;charset=utf-8")
	w.Write(html)
}

func primes(w http.ResponseWriter, r *http.Request) {
	found, err := contract.PrimesUpTo(queryOf(r))
	answer(w, found, err)
}

func schema(w http.ResponseWriter, r *http.Request) {
	if err := contract.CheckHead(r.Header.Get("Content-Type"), r.Header.Values("X-Foo") != nil); err != nil {
		fail(w, err)
		return
	}
	if err := contract.CheckQuery(queryOf(r)); err != nil {
		fail(w, err)
		return
	}
	content, err := io.ReadAll(http.MaxBytesReader(w, r.Body, contract.MostJSON))
	if err != nil {
		fail(w, err)
		return
	}
	reply, err := contract.Validate(content)
	answer(w, reply, err)
}

func queryOf(r *http.Request) contract.Query {
	query := r.URL.Query()
	return func(name string) (string, bool) { return query.Get(name), query.Has(name) }
}

func answer(w http.ResponseWriter, value any, err error) {
	if err != nil {
		fail(w, err)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(value); err != nil {
		log.Print(err)
	}
}

func fail(w http.ResponseWriter, err error) {
	status, reason := contract.Answer(err)
	http.Error(w, reason, status)
}
