//! Rows of `world`: read, changed, or from a cache.

use std::collections::HashMap;
use std::sync::Arc;

use deadpool_postgres::{Pool, PoolError};
use futures_util::future::try_join_all;
use serde::{Deserialize, Serialize};
use tokio::sync::OnceCell;
use tokio_postgres::Row;

use crate::database::query;
use crate::{Failure, internal};

const ROWS: i32 = 10_000;
const MOST: usize = 500;
const ONE: &str = "SELECT id, random_number FROM world WHERE id = $1";
const UPDATE: &str = "UPDATE world SET random_number = changed.number \
    FROM unnest($1::int[], $2::int[]) AS changed (id, number) WHERE world.id = changed.id";

#[derive(Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct World {
    id: i32,
    random_number: i32,
}

impl From<&Row> for World {
    fn from(row: &Row) -> Self {
        Self {
            id: row.get("id"),
            random_number: row.get("random_number"),
        }
    }
}

#[derive(Deserialize)]
pub struct Parameters {
    queries: Option<String>,
}

impl Parameters {
    /// How many rows are wanted: 1 where that is no number.
    pub fn count(&self) -> usize {
        let text = self.queries.as_deref().unwrap_or_default();
        let is_number = !text.is_empty() && text.bytes().all(|digit| digit.is_ascii_digit());
        if is_number { text.parse().unwrap_or(MOST).clamp(1, MOST) } else { 1 }
    }
}

pub async fn random_row(pool: &Pool) -> Result<World, Failure> {
    let rows = query(pool, ONE, &[&random()]).await?;
    Ok(World::from(&rows[0]))
}

/// Reads rows, gives each a new number, and writes them.
pub async fn updated_rows(pool: &Pool, count: usize) -> Result<Vec<World>, Failure> {
    let mut rows = random_rows(pool, count).await?;
    for row in &mut rows {
        row.random_number = random();
    }
    // In one order everywhere, or else two updates may wait for each other
    let mut changed = rows.clone();
    changed.sort_by_key(|row| row.id);
    let ids: Vec<i32> = changed.iter().map(|row| row.id).collect();
    let numbers: Vec<i32> = changed.iter().map(|row| row.random_number).collect();
    query(pool, UPDATE, &[&ids, &numbers]).await?;
    Ok(rows)
}

/// The rows of `cached_world`, from the first request on.
#[derive(Clone)]
pub struct Cache {
    pool: Pool,
    rows: Arc<OnceCell<HashMap<i32, World>>>,
}

impl Cache {
    pub fn new(pool: Pool) -> Self {
        Self {
            pool,
            rows: Arc::default(),
        }
    }

    pub async fn take(&self, count: usize) -> Result<Vec<World>, Failure> {
        let rows = self.rows.get_or_try_init(|| self.read()).await?;
        let worlds = (0..count).filter_map(|_| rows.get(&random()).cloned());
        Ok(worlds.collect())
    }

    async fn read(&self) -> Result<HashMap<i32, World>, Failure> {
        let rows = query(
            &self.pool,
            "SELECT id, random_number FROM cached_world",
            &[],
        )
        .await?;
        let worlds = rows.iter().map(World::from);
        Ok(worlds.map(|world| (world.id, world)).collect())
    }
}

/// Asks for each row by a query of its own; all of them travel at once.
pub async fn random_rows(pool: &Pool, count: usize) -> Result<Vec<World>, Failure> {
    let rows = async {
        let client = pool.get().await?;
        let statement = client.prepare_cached(ONE).await?;
        let rows = (0..count).map(|_| {
            let (client, statement, id) = (&client, &statement, random());
            async move { client.query_one(statement, &[&id]).await }
        });
        Ok::<_, PoolError>(try_join_all(rows).await?)
    };
    let rows = rows.await.map_err(internal)?;
    Ok(rows.iter().map(World::from).collect())
}

fn random() -> i32 {
    rand::random_range(1..=ROWS)
}
