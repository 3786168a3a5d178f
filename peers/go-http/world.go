package main

import (
	"context"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"sync"

	"github.com/jackc/pgx/v5"
)

const (
	worlds      = 10_000
	mostQueries = 500
	selectWorld = "SELECT id, random_number FROM world WHERE id = $1"
)

type world struct {
	ID           int `json:"id"`
	RandomNumber int `json:"randomNumber"`
}

func (d database) world(w http.ResponseWriter, r *http.Request) {
	var row world
	err := d.pool.QueryRow(r.Context(), selectWorld, random()).Scan(&row.ID, &row.RandomNumber)
	answer(named(w), row, err)
}

func (d database) worlds(w http.ResponseWriter, r *http.Request) {
	rows, err := d.randomRows(r.Context(), countOf(r))
	answer(named(w), rows, err)
}

func (d database) updates(w http.ResponseWriter, r *http.Request) {
	rows, err := d.updatedRows(r.Context(), countOf(r))
	answer(named(w), rows, err)
}

// randomRows asks for each row by a query of its own; all of them are sent at once.
func (d database) randomRows(ctx context.Context, count int) ([]world, error) {
	rows := make([]world, count)
	batch := &pgx.Batch{}
	for i := range rows {
		batch.Queue(selectWorld, random()).QueryRow(func(row pgx.Row) error {
			return row.Scan(&rows[i].ID, &rows[i].RandomNumber)
		})
	}
	return rows, d.pool.SendBatch(ctx, batch).Close()
}

func (d database) updatedRows(ctx context.Context, count int) ([]world, error) {
	rows, err := d.randomRows(ctx, count)
	if err != nil {
		return nil, err
	}
	for i := range rows {
		rows[i].RandomNumber = random()
	}
	// In one order everywhere, or else two updates may wait for each other
	changed := slices.SortedFunc(slices.Values(rows), func(a, b world) int { return a.ID - b.ID })
	ids, numbers := make([]int, count), make([]int, count)
	for i, row := range changed {
		ids[i], numbers[i] = row.ID, row.RandomNumber
	}
	_, err = d.pool.Exec(ctx, `UPDATE world SET random_number = changed.number
		FROM unnest($1::int[], $2::int[]) AS changed (id, number) WHERE world.id = changed.id`, ids, numbers)
	return rows, err
}

// cache holds the rows of cached_world from the first request on.
type cache struct {
	database
	mutex sync.RWMutex
	rows  map[int]world
}

func (c *cache) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	all, err := c.all(r.Context())
	rows := make([]world, countOf(r))
	for i := range rows {
		rows[i] = all[random()]
	}
	answer(named(w), rows, err)
}

func (c *cache) all(ctx context.Context) (map[int]world, error) {
	c.mutex.RLock()
	rows := c.rows
	c.mutex.RUnlock()
	if rows != nil {
		return rows, nil
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.rows != nil {
		return c.rows, nil
	}
	found, _ := c.pool.Query(ctx, "SELECT id, random_number FROM cached_world")
	list, err := pgx.CollectRows(found, pgx.RowToStructByPos[world])
	if err != nil {
		return nil, err
	}
	c.rows = make(map[int]world, len(list))
	for _, row := range list {
		c.rows[row.ID] = row
	}
	return c.rows, nil
}

// countOf is how many rows the parameter queries asks for: 1 where it is no number.
func countOf(r *http.Request) int {
	count, _ := strconv.Atoi(r.URL.Query().Get("queries"))
	return min(max(count, 1), mostQueries)
}

func random() int {
	return 1 + rand.IntN(worlds)
}
