// Package database answers what the scenarios ask of PostgreSQL.
package database

import (
	"context"
	"os"
	"strconv"

	"github.com/jackc/pgx/v5/pgxpool"
)

// Database is a pool of connections, and the rows of cached_world once somebody wanted them.
type Database struct {
	pool  *pgxpool.Pool
	cache cache
}

// Open connects when the first query comes: there may be no database at all.
func Open(ctx context.Context) (*Database, error) {
	config, err := pgxpool.ParseConfig(os.Getenv("DATABASE_URL"))
	if err != nil {
		return nil, err
	}
	if size, err := strconv.ParseInt(os.Getenv("DB_POOL"), 10, 32); err == nil {
		config.MaxConns = int32(size)
	}
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, err
	}
	return &Database{pool: pool}, nil
}
