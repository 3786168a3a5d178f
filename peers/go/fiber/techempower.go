package main

import (
	"context"

	"github.com/gofiber/fiber/v3"

	"stampede/go/database"
)

func plaintext(c fiber.Ctx) error {
	return c.SendString("Hello, World!")
}

func (s server) world(c fiber.Ctx) error {
	row, err := s.db.World(c.Context())
	return answer(c, row, err)
}

type find = func(context.Context, int) ([]database.World, error)

func rows(find find) fiber.Handler {
	return func(c fiber.Ctx) error {
		rows, err := find(c.Context(), database.Count(c.Query("queries")))
		return answer(c, rows, err)
	}
}

func (s server) fortunes(c fiber.Ctx) error {
	rows, err := s.db.Fortunes(c.Context())
	if err != nil {
		return err
	}
	return c.Render("fortunes", rows)
}
