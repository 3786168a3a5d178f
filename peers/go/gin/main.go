// A server of Gin: https://gin-gonic.com/en/docs/
package main

import (
	"context"
	"html/template"
	"log"
	"net"
	"net/http"
	"os"

	"github.com/gin-gonic/gin"

	"stampede/go/contract"
	"stampede/go/database"
	"stampede/go/files"
	"stampede/go/templates"
)

func main() {
	db, err := database.Open(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	s := server{db, &contract.Delay{File: os.Getenv("HELLO_HTML")}}

	gin.SetMode(gin.ReleaseMode)
	router := gin.New()
	router.HandleMethodNotAllowed = true
	router.SetHTMLTemplate(template.Must(template.ParseFS(templates.Files, "*.html")))
	get(router, "/", text)
	get(router, "/json", greet)
	get(router, "/sql1", s.now)
	get(router, "/sql2", s.users)
	get(router, "/books", s.books)
	get(router, "/delay", s.later)
	get(router, "/primes", primes)
	router.POST("/schema", schema)

	named := router.Group("/", name)
	get(named, "/plaintext", plaintext)
	get(named, "/db", s.world)
	get(named, "/queries", rows(db.Worlds))
	get(named, "/updates", rows(db.Updated))
	get(named, "/cached", rows(db.Cached))
	get(named, "/fortunes", s.fortunes)

	folder := http.StripPrefix("/static", files.Handler(os.Getenv("STATIC_FOLDER")))
	get(router, "/static/*path", gin.WrapH(folder))
	router.POST("/upload", upload)
	get(router, "/stream", stream)
	get(router, "/echo", echo)

	address := net.JoinHostPort(os.Getenv("HOST"), os.Getenv("PORT"))
	if certificate := os.Getenv("TLS_CERT"); certificate != "" {
		log.Fatal(router.RunTLS(address, certificate, os.Getenv("TLS_KEY")))
	}
	log.Fatal(router.Run(address))
}

// get answers HEAD too, which Gin leaves to its users.
func get(routes gin.IRoutes, path string, handler gin.HandlerFunc) {
	routes.Match([]string{http.MethodGet, http.MethodHead}, path, handler)
}
