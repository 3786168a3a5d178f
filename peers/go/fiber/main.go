// A server of Fiber: https://docs.gofiber.io
package main

import (
	"context"
	"log"
	"net"
	"net/http"
	"os"

	"github.com/gofiber/fiber/v3"
	"github.com/gofiber/fiber/v3/middleware/static"
	"github.com/gofiber/template/html/v2"

	"stampede/go/contract"
	"stampede/go/database"
	"stampede/go/templates"
)

func main() {
	db, err := database.Open(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	s := server{db, &contract.Delay{File: os.Getenv("HELLO_HTML")}}

	app := fiber.New(fiber.Config{
		ServerHeader: "Fiber",
		BodyLimit:    contract.MostUpload,
		Views:        html.NewFileSystem(http.FS(templates.Files), ".html"),
		ErrorHandler: fail,
	})
	app.Get("/", text)
	app.Get("/json", greet)
	app.Get("/sql1", s.now)
	app.Get("/sql2", s.users)
	app.Get("/books", s.books)
	app.Get("/delay", s.later)
	app.Get("/primes", primes)
	app.Post("/schema", schema)

	app.Get("/plaintext", plaintext)
	app.Get("/db", s.world)
	app.Get("/queries", rows(db.Worlds))
	app.Get("/updates", rows(db.Updated))
	app.Get("/cached", rows(db.Cached))
	app.Get("/fortunes", s.fortunes)

	app.Get("/static/*", tagged, static.New(os.Getenv("STATIC_FOLDER")))
	app.Post("/upload", upload)
	app.Get("/stream", stream)
	app.Get("/echo", echo)

	log.Fatal(app.Listen(net.JoinHostPort(os.Getenv("HOST"), os.Getenv("PORT")), fiber.ListenConfig{
		DisableStartupMessage: true,
		CertFile:              os.Getenv("TLS_CERT"),
		CertKeyFile:           os.Getenv("TLS_KEY"),
	}))
}
