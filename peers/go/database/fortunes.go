package database

import (
	"cmp"
	"context"
	"slices"

	"github.com/jackc/pgx/v5"
)

type Fortune struct {
	ID      int
	Message string
}

// Fortunes are the database's rows and one more, sorted.
func (d *Database) Fortunes(ctx context.Context) ([]Fortune, error) {
	found, _ := d.pool.Query(ctx, "SELECT id, message FROM fortune")
	rows, err := pgx.CollectRows(found, pgx.RowToStructByPos[Fortune])
	if err != nil {
		return nil, err
	}
	rows = append(rows, Fortune{0, "Brewed for this very request."})
	slices.SortFunc(rows, func(a, b Fortune) int { return cmp.Compare(a.Message, b.Message) })
	return rows, nil
}
