package main

import (
	"io"
	"net/http"

	"github.com/gin-gonic/gin"

	"stampede/go/contract"
	"stampede/go/database"
)

type server struct {
	db    *database.Database
	delay *contract.Delay
}

func text(c *gin.Context) {
	c.String(http.StatusOK, "Hello world")
}

func greet(c *gin.Context) {
	c.JSON(http.StatusOK, contract.Greet())
}

func (s server) now(c *gin.Context) {
	now, err := s.db.Now(c.Request.Context())
	answer(c, now, err)
}

func (s server) users(c *gin.Context) {
	users, err := s.db.Users(c.Request.Context())
	answer(c, users, err)
}

func (s server) books(c *gin.Context) {
	shelf, err := s.db.Books(c.Request.Context())
	answer(c, shelf, err)
}

func (s server) later(c *gin.Context) {
	html, err := s.delay.Read(c.GetQuery)
	if err != nil {
		fail(c, err)
		return
	}
	c.Data(http.StatusOK, "text/html;charset=utf-8", html)
}

func primes(c *gin.Context) {
	found, err := contract.PrimesUpTo(c.GetQuery)
	answer(c, found, err)
}

func schema(c *gin.Context) {
	if err := contract.CheckHead(c.GetHeader("Content-Type"), c.Request.Header.Values("X-Foo") != nil); err != nil {
		fail(c, err)
		return
	}
	if err := contract.CheckQuery(c.GetQuery); err != nil {
		fail(c, err)
		return
	}
	content, err := io.ReadAll(http.MaxBytesReader(c.Writer, c.Request.Body, contract.MostJSON))
	if err != nil {
		fail(c, err)
		return
	}
	reply, err := contract.Validate(content)
	answer(c, reply, err)
}

func answer(c *gin.Context, value any, err error) {
	if err != nil {
		fail(c, err)
		return
	}
	c.JSON(http.StatusOK, value)
}

func fail(c *gin.Context, err error) {
	status, reason := contract.Answer(err)
	c.String(status, "%s", reason)
}
