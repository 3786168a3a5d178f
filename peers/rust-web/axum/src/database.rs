use axum::extract::State;
use axum::routing::get;
use axum::{Json, Router};
use shared::database::{self, Books, Now, Pool, User};

use crate::failure::Refused;

pub fn routes(pool: Pool) -> Router {
    Router::new()
        .route("/sql1", get(now))
        .route("/sql2", get(users))
        .route("/books", get(books))
        .with_state(pool)
}

async fn now(State(pool): State<Pool>) -> Result<Json<Now>, Refused> {
    Ok(Json(database::now(&pool).await?))
}

async fn users(State(pool): State<Pool>) -> Result<Json<Vec<User>>, Refused> {
    Ok(Json(database::users(&pool).await?))
}

async fn books(State(pool): State<Pool>) -> Result<Json<Books>, Refused> {
    Ok(Json(database::books(&pool).await?))
}
