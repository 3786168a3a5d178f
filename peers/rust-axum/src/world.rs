//! Rows of `world`: read, changed, or from a cache.

use std::collections::HashMap;
use std::sync::Arc;

use axum::Json;
use axum::extract::{Query, State};
use deadpool_postgres::{Pool, PoolError};
use futures_util::future::try_join_all;
use serde::{Deserialize, Serialize};
use tokio::sync::OnceCell;
use tokio_postgres::Row;

use crate::database::query;
use crate::failure::{Failure, internal};

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
    fn count(&self) -> usize {
        let text = self.queries.as_deref().unwrap_or_default();
        text.parse().unwrap_or(1).clamp(1, MOST)
    }
}

pub async fn db(State(pool): State<Pool>) -> Result<Json<World>, Failure> {
    let rows = query(&pool, ONE, &[&random()]).await?;
    Ok(Json(World::from(&rows[0])))
}

pub async fn queries(
    State(pool): State<Pool>,
    Query(parameters): Query<Parameters>,
) -> Result<Json<Vec<World>>, Failure> {
    Ok(Json(random_rows(&pool, parameters.count()).await?))
}

pub async fn updates(
    State(pool): State<Pool>,
    Query(parameters): Query<Parameters>,
) -> Result<Json<Vec<World>>, Failure> {
    let mut rows = random_rows(&pool, parameters.count()).await?;
    for row in &mut rows {
        row.random_number = random();
    }
    // In one order everywhere, or else two updates may wait for each other
    let mut changed = rows.clone();
    changed.sort_by_key(|row| row.id);
    let ids: Vec<i32> = changed.iter().map(|row| row.id).collect();
    let numbers: Vec<i32> = changed.iter().map(|row| row.random_number).collect();
    query(&pool, UPDATE, &[&ids, &numbers]).await?;
    Ok(Json(rows))
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

pub async fn cached(
    State(cache): State<Cache>,
    Query(parameters): Query<Parameters>,
) -> Result<Json<Vec<World>>, Failure> {
    let rows = cache.rows.get_or_try_init(|| cache.read()).await?;
    let worlds = (0..parameters.count()).filter_map(|_| rows.get(&random()).cloned());
    Ok(Json(worlds.collect()))
}

/// Asks for each row by a query of its own; all of them travel at once.
async fn random_rows(pool: &Pool, count: usize) -> Result<Vec<World>, Failure> {
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
