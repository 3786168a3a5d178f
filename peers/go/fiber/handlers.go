package main

import (
	"errors"

	"github.com/gofiber/fiber/v3"

	"stampede/go/contract"
	"stampede/go/database"
)

type server struct {
	db    *database.Database
	delay *contract.Delay
}

func text(c fiber.Ctx) error {
	return c.SendString("Hello world")
}

func greet(c fiber.Ctx) error {
	return c.JSON(contract.Greet())
}

func (s server) now(c fiber.Ctx) error {
	now, err := s.db.Now(c.Context())
	return answer(c, now, err)
}

func (s server) users(c fiber.Ctx) error {
	users, err := s.db.Users(c.Context())
	return answer(c, users, err)
}

func (s server) books(c fiber.Ctx) error {
	shelf, err := s.db.Books(c.Context())
	return answer(c, shelf, err)
}

func (s server) later(c fiber.Ctx) error {
	html, err := s.delay.Read(queryOf(c))
	if err != nil {
		return err
	}
	c.Set(fiber.HeaderContentType, "text/html;charset=utf-8")
	return c.Send(html)
}

func primes(c fiber.Ctx) error {
	found, err := contract.PrimesUpTo(queryOf(c))
	return answer(c, found, err)
}

func schema(c fiber.Ctx) error {
	hasFoo := len(c.Request().Header.PeekAll("X-Foo")) > 0
	if err := contract.CheckHead(c.Get(fiber.HeaderContentType), hasFoo); err != nil {
		return err
	}
	if err := contract.CheckQuery(queryOf(c)); err != nil {
		return err
	}
	reply, err := contract.Validate(c.Body())
	return answer(c, reply, err)
}

func queryOf(c fiber.Ctx) contract.Query {
	parameters := c.Request().URI().QueryArgs()
	return func(name string) (string, bool) { return c.Query(name), parameters.Has(name) }
}

func answer(c fiber.Ctx, value any, err error) error {
	if err != nil {
		return err
	}
	return c.JSON(value)
}

// fail answers what a handler gave back as its error.
func fail(c fiber.Ctx, err error) error {
	if own := new(fiber.Error); errors.As(err, &own) {
		return c.Status(own.Code).SendString(own.Message)
	}
	status, reason := contract.Answer(err)
	return c.Status(status).SendString(reason)
}
