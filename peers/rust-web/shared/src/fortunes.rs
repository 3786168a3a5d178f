use askama::Template;
use deadpool_postgres::Pool;

use crate::database::query;
use crate::{Failure, internal};

struct Fortune {
    id: i32,
    message: String,
}

#[derive(Template)]
#[template(path = "fortunes.html")]
struct Page {
    fortunes: Vec<Fortune>,
}

/// The page of the database's rows and one more, sorted.
pub async fn page(pool: &Pool) -> Result<String, Failure> {
    let rows = query(pool, "SELECT id, message FROM fortune", &[]).await?;
    let mut fortunes: Vec<Fortune> = rows
        .iter()
        .map(|row| Fortune {
            id: row.get("id"),
            message: row.get("message"),
        })
        .collect();
    fortunes.push(Fortune {
        id: 0,
        message: "Brewed for this very request.".to_owned(),
    });
    fortunes.sort_by(|a, b| a.message.cmp(&b.message));
    Page { fortunes }.render().map_err(internal)
}
