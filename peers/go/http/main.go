// A server of net/http: https://pkg.go.dev/net/http
package main

import (
	"context"
	"log"
	"net"
	"net/http"
	"os"

	"stampede/go/contract"
	"stampede/go/database"
	"stampede/go/files"
)

func main() {
	db, err := database.Open(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	s := server{db, &contract.Delay{File: os.Getenv("HELLO_HTML")}}

	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", text)
	mux.HandleFunc("GET /json", greet)
	mux.HandleFunc("GET /sql1", s.now)
	mux.HandleFunc("GET /sql2", s.users)
	mux.HandleFunc("GET /books", s.books)
	mux.HandleFunc("GET /delay", s.later)
	mux.HandleFunc("GET /primes", primes)
	mux.HandleFunc("POST /schema", schema)
	mux.HandleFunc("GET /plaintext", plaintext)
	mux.HandleFunc("GET /db", s.world)
	mux.HandleFunc("GET /queries", rows(db.Worlds))
	mux.HandleFunc("GET /updates", rows(db.Updated))
	mux.HandleFunc("GET /cached", rows(db.Cached))
	mux.HandleFunc("GET /fortunes", s.fortunes)
	mux.Handle("GET /static/", http.StripPrefix("/static", files.Handler(os.Getenv("STATIC_FOLDER"))))
	mux.HandleFunc("POST /upload", upload)
	mux.HandleFunc("GET /stream", stream)
	mux.HandleFunc("GET /echo", echo)

	address := net.JoinHostPort(os.Getenv("HOST"), os.Getenv("PORT"))
	if certificate := os.Getenv("TLS_CERT"); certificate != "" {
		log.Fatal(http.ListenAndServeTLS(address, certificate, os.Getenv("TLS_KEY"), mux))
	}
	log.Fatal(http.ListenAndServe(address, mux))
}
