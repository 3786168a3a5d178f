use std::env;

use chrono::{DateTime, Utc};
pub use deadpool_postgres::Pool;
use deadpool_postgres::{Manager, PoolError};
use serde::Serialize;
use tokio_postgres::types::ToSql;
use tokio_postgres::{NoTls, Row};

use crate::greeting::iso;
use crate::{Failure, internal};

const MAX_OFFSET: i64 = 199_990;

#[derive(Serialize)]
pub struct Now {
    ts: String,
}

#[derive(Serialize)]
pub struct User {
    id: i32,
    full_name: String,
    email: String,
}

#[derive(Serialize)]
pub struct Book {
    id: i32,
    title: String,
    author: String,
    isbn: String,
    language: String,
    year: i32,
    pages: i32,
}

#[derive(Serialize)]
pub struct Books {
    from: &'static str,
    data: Vec<Book>,
}

/// Connects on demand, so there need not be a database.
pub fn pool(size: usize) -> Result<Pool, Box<dyn std::error::Error>> {
    let config = env::var("DATABASE_URL").unwrap_or_default().parse()?;
    let pool = Pool::builder(Manager::new(config, NoTls)).max_size(size);
    Ok(pool.build()?)
}

pub async fn now(pool: &Pool) -> Result<Now, Failure> {
    let rows = query(pool, "SELECT now() AS ts", &[]).await?;
    let ts: DateTime<Utc> = rows[0].get("ts");
    Ok(Now { ts: iso(ts) })
}

pub async fn users(pool: &Pool) -> Result<Vec<User>, Failure> {
    let offset = rand::random_range(0..=MAX_OFFSET);
    let sql = "SELECT id, full_name, email FROM users LIMIT 10 OFFSET $1";
    let rows = query(pool, sql, &[&offset]).await?;
    let users = rows.iter().map(|row| User {
        id: row.get("id"),
        full_name: row.get("full_name"),
        email: row.get("email"),
    });
    Ok(users.collect())
}

pub async fn books(pool: &Pool) -> Result<Books, Failure> {
    let rows = query(pool, "SELECT * FROM books", &[]).await?;
    let books = rows.iter().map(|row| Book {
        id: row.get("id"),
        title: row.get("title"),
        author: row.get("author"),
        isbn: row.get("isbn"),
        language: row.get("language"),
        year: row.get("year"),
        pages: row.get("pages"),
    });
    Ok(Books {
        from: "tokio-postgres",
        data: books.collect(),
    })
}

pub async fn query(
    pool: &Pool,
    sql: &str,
    parameters: &[&(dyn ToSql + Sync)],
) -> Result<Vec<Row>, Failure> {
    let rows = async {
        let client = pool.get().await?;
        let statement = client.prepare_cached(sql).await?;
        Ok::<_, PoolError>(client.query(&statement, parameters).await?)
    };
    rows.await.map_err(internal)
}
