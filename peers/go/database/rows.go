package database

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/jackc/pgx/v5"
)

const lastOffset = 200_000 - 10

type Moment struct {
	Time time.Time `json:"ts"`
}

func (d *Database) Now(ctx context.Context) (now Moment, err error) {
	err = d.pool.QueryRow(ctx, "SELECT now() AS ts").Scan(&now.Time)
	return now, err
}

type User struct {
	ID       int    `json:"id"`
	FullName string `json:"full_name"`
	Email    string `json:"email"`
}

func (d *Database) Users(ctx context.Context) ([]User, error) {
	const sql = "SELECT id, full_name, email FROM users LIMIT 10 OFFSET $1"
	rows, _ := d.pool.Query(ctx, sql, rand.IntN(lastOffset+1))
	return pgx.CollectRows(rows, pgx.RowToStructByName[User])
}

type Book struct {
	ID       int    `json:"id"`
	Title    string `json:"title"`
	Author   string `json:"author"`
	ISBN     string `json:"isbn"`
	Language string `json:"language"`
	Year     int    `json:"year"`
	Pages    int    `json:"pages"`
}

type Shelf struct {
	From string `json:"from"`
	Data []Book `json:"data"`
}

func (d *Database) Books(ctx context.Context) (Shelf, error) {
	rows, _ := d.pool.Query(ctx, "SELECT * FROM books")
	books, err := pgx.CollectRows(rows, pgx.RowToStructByName[Book])
	return Shelf{"pgx", books}, err
}
