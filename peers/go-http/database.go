package main

import (
	"context"
	"math/rand/v2"
	"net/http"
	"os"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

const lastOffset = 200_000 - 10

type database struct{ pool *pgxpool.Pool }

// openPool connects when the first query comes: there may be no database at all.
func openPool(ctx context.Context, url string) (*pgxpool.Pool, error) {
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, err
	}
	if size, err := strconv.ParseInt(os.Getenv("DB_POOL"), 10, 32); err == nil {
		config.MaxConns = int32(size)
	}
	return pgxpool.NewWithConfig(ctx, config)
}

type moment struct {
	Time time.Time `json:"ts"`
}

func (d database) now(w http.ResponseWriter, r *http.Request) {
	var now moment
	err := d.pool.QueryRow(r.Context(), "SELECT now() AS ts").Scan(&now.Time)
	answer(w, now, err)
}

type user struct {
	ID       int    `json:"id"`
	FullName string `json:"full_name"`
	Email    string `json:"email"`
}

func (d database) users(w http.ResponseWriter, r *http.Request) {
	const sql = "SELECT id, full_name, email FROM users LIMIT 10 OFFSET $1"
	rows, _ := d.pool.Query(r.Context(), sql, rand.IntN(lastOffset+1))
	users, err := pgx.CollectRows(rows, pgx.RowToStructByName[user])
	answer(w, users, err)
}

type book struct {
	ID       int    `json:"id"`
	Title    string `json:"title"`
	Author   string `json:"author"`
	ISBN     string `json:"isbn"`
	Language string `json:"language"`
	Year     int    `json:"year"`
	Pages    int    `json:"pages"`
}

type shelf struct {
	From string `json:"from"`
	Data []book `json:"data"`
}

func (d database) books(w http.ResponseWriter, r *http.Request) {
	rows, _ := d.pool.Query(r.Context(), "SELECT * FROM books")
	books, err := pgx.CollectRows(rows, pgx.RowToStructByName[book])
	answer(w, shelf{"go-http", books}, err)
}

func answer(w http.ResponseWriter, value any, err error) {
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	writeJSON(w, value)
}
