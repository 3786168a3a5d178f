package database

import (
	"context"
	"sync"

	"github.com/jackc/pgx/v5"
)

// cache holds the rows of cached_world from the first request on.
type cache struct {
	mutex sync.RWMutex
	rows  map[int]World
}

// Cached takes as many rows from the cache.
func (d *Database) Cached(ctx context.Context, count int) ([]World, error) {
	all, err := d.cached(ctx)
	rows := make([]World, count)
	for i := range rows {
		rows[i] = all[random()]
	}
	return rows, err
}

func (d *Database) cached(ctx context.Context) (map[int]World, error) {
	c := &d.cache
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
	found, _ := d.pool.Query(ctx, "SELECT id, random_number FROM cached_world")
	list, err := pgx.CollectRows(found, pgx.RowToStructByPos[World])
	if err != nil {
		return nil, err
	}
	c.rows = make(map[int]World, len(list))
	for _, row := range list {
		c.rows[row.ID] = row
	}
	return c.rows, nil
}
