package database

import (
	"context"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/jackc/pgx/v5"
)

const (
	worlds      = 10_000
	mostQueries = 500
	selectWorld = "SELECT id, random_number FROM world WHERE id = $1"
	updateWorld = `UPDATE world SET random_number = changed.number
		FROM unnest($1::int[], $2::int[]) AS changed (id, number) WHERE world.id = changed.id`
)

type World struct {
	ID           int `json:"id"`
	RandomNumber int `json:"randomNumber"`
}

// Count returns the number of rows that the parameter queries asks for: 1 for anything but digits.
func Count(queries string) int {
	count, _ := strconv.ParseUint(queries, 10, 32) // the highest number if it is out of range
	return int(min(max(count, 1), mostQueries))
}

func (d *Database) World(ctx context.Context) (row World, err error) {
	err = d.pool.QueryRow(ctx, selectWorld, random()).Scan(&row.ID, &row.RandomNumber)
	return row, err
}

// Worlds asks for each row by a query of its own; all of them are sent at once.
func (d *Database) Worlds(ctx context.Context, count int) ([]World, error) {
	rows := make([]World, count)
	batch := &pgx.Batch{}
	for i := range rows {
		batch.Queue(selectWorld, random()).QueryRow(func(row pgx.Row) error {
			return row.Scan(&rows[i].ID, &rows[i].RandomNumber)
		})
	}
	return rows, d.pool.SendBatch(ctx, batch).Close()
}

// Updated reads as many rows, gives each a new number, and writes them.
func (d *Database) Updated(ctx context.Context, count int) ([]World, error) {
	rows, err := d.Worlds(ctx, count)
	if err != nil {
		return nil, err
	}
	for i := range rows {
		rows[i].RandomNumber = random()
	}
	// In one order everywhere, or else two updates may wait for each other
	changed := slices.SortedFunc(slices.Values(rows), func(a, b World) int { return a.ID - b.ID })
	ids, numbers := make([]int, count), make([]int, count)
	for i, row := range changed {
		ids[i], numbers[i] = row.ID, row.RandomNumber
	}
	_, err = d.pool.Exec(ctx, updateWorld, ids, numbers)
	return rows, err
}

func random() int {
	return 1 + rand.IntN(worlds)
}
