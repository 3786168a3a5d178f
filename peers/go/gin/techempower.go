package main

import (
	"context"
	"net/http"

	"github.com/gin-gonic/gin"

	"stampede/go/database"
	"stampede/go/templates"
)

// name says what answers, as TechEmpower's rules want it.
func name(c *gin.Context) {
	c.Header("Server", "Gin")
}

func plaintext(c *gin.Context) {
	c.String(http.StatusOK, "Hello, World!")
}

func (s server) world(c *gin.Context) {
	row, err := s.db.World(c.Request.Context())
	answer(c, row, err)
}

type find = func(context.Context, int) ([]database.World, error)

func rows(find find) gin.HandlerFunc {
	return func(c *gin.Context) {
		rows, err := find(c.Request.Context(), database.Count(c.Query("queries")))
		answer(c, rows, err)
	}
}

func (s server) fortunes(c *gin.Context) {
	rows, err := s.db.Fortunes(c.Request.Context())
	if err != nil {
		fail(c, err)
		return
	}
	c.HTML(http.StatusOK, templates.Fortunes, rows)
}
