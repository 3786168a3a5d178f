// A server of net/http: https://pkg.go.dev/net/http
package main

import (
	"context"
	"encoding/json"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"
	"time"
)

func main() {
	pool, err := openPool(context.Background(), os.Getenv("DATABASE_URL"))
	if err != nil {
		log.Fatal(err)
	}
	db := database{pool}

	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", text)
	mux.HandleFunc("GET /json", now)
	mux.HandleFunc("GET /sql1", db.now)
	mux.HandleFunc("GET /sql2", db.users)
	mux.HandleFunc("GET /books", db.books)
	mux.Handle("GET /delay", &delay{file: os.Getenv("HELLO_HTML")})
	mux.HandleFunc("GET /primes", primes)
	mux.HandleFunc("POST /schema", schema)
	mux.HandleFunc("GET /plaintext", plaintext)
	mux.HandleFunc("GET /db", db.world)
	mux.HandleFunc("GET /queries", db.worlds)
	mux.HandleFunc("GET /updates", db.updates)
	mux.HandleFunc("GET /fortunes", db.fortunes)
	mux.Handle("GET /cached", &cache{database: db})
	mux.Handle("GET /static/", http.StripPrefix("/static", files(os.Getenv("STATIC_FOLDER"))))
	mux.HandleFunc("POST /upload", upload)
	mux.HandleFunc("GET /stream", stream)
	mux.HandleFunc("GET /echo", echo)

	address := net.JoinHostPort(os.Getenv("HOST"), os.Getenv("PORT"))
	if certificate := os.Getenv("TLS_CERT"); certificate != "" {
		log.Fatal(http.ListenAndServeTLS(address, certificate, os.Getenv("TLS_KEY"), mux))
	}
	log.Fatal(http.ListenAndServe(address, mux))
}

func text(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain;charset=UTF-8")
	w.Write([]byte("Hello world"))
}

type greeting struct {
	Message string    `json:"message"`
	Time    time.Time `json:"ts"`
}

func now(w http.ResponseWriter, _ *http.Request) {
	writeJSON(w, greeting{"Hello world", time.Now().UTC()})
}

func writeJSON(w http.ResponseWriter, value any) {
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(value); err != nil {
		log.Print(err)
	}
}

// integer reads a whole number from the query. If that is none or out of range, it answers 400.
func integer(w http.ResponseWriter, r *http.Request, name string, low, high, fallback int) (value int, ok bool) {
	query := r.URL.Query()
	if !query.Has(name) {
		return fallback, true
	}
	value, err := strconv.Atoi(query.Get(name))
	if err != nil || value < low || value > high {
		http.Error(w, "bad "+name, http.StatusBadRequest)
		return 0, false
	}
	return value, true
}
