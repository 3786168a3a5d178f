//! What servers of the web do: files, uploads, events and WebSockets.

use std::convert::Infallible;

use axum::body::Bytes;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::extract::{DefaultBodyLimit, Query, Request};
use axum::http::{StatusCode, header};
use axum::middleware::{Next, from_fn};
use axum::response::sse::{Event, Sse};
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get, post};
use axum::{Json, Router};
use futures_util::{Stream, StreamExt};
use shared::events::{Parameters, events};
use shared::upload::{self, Uploaded};
use tower_http::services::ServeDir;

use crate::failure::Refused;

pub fn routes(folder: &str) -> Router {
    let files = ServeDir::new(folder)
        .append_index_html_on_directories(false)
        .precompressed_br()
        .precompressed_gzip();
    Router::new()
        .merge(
            Router::new()
                .nest_service("/static", files)
                .layer(from_fn(tagged)),
        )
        .route(
            "/upload",
            post(upload).layer(DefaultBodyLimit::max(upload::MAX_BYTES)),
        )
        .route("/stream", get(stream))
        .route("/echo", any(echo))
}

/// Files have a time and a length, of which this makes their tag.
async fn tagged(request: Request, next: Next) -> Response {
    let known = request.headers().get(header::IF_NONE_MATCH).cloned();
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    let part = |name| headers.get(name)?.to_str().ok();
    let (Some(time), Some(length)) = (part(header::LAST_MODIFIED), part(header::CONTENT_LENGTH))
    else {
        return response;
    };
    let tag = format!("W/\"{}-{length}\"", time.replace([' ', ',', ':'], ""));
    let Ok(value) = tag.parse() else {
        return response;
    };
    let known = known.as_ref().and_then(|tags| tags.to_str().ok());
    let is_known = known.is_some_and(|tags| tags.contains(&tag));
    headers.insert(header::ETAG, value);
    if !is_known {
        return response;
    }
    headers.remove(header::CONTENT_LENGTH);
    (StatusCode::NOT_MODIFIED, response.headers().clone()).into_response()
}

async fn upload(body: Bytes) -> Json<Uploaded> {
    Json(Uploaded::of(&body))
}

async fn stream(
    Query(parameters): Query<Parameters>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Refused> {
    let events = events(parameters)?;
    Ok(Sse::new(events.map(|data| Ok(Event::default().data(data)))))
}

async fn echo(upgrade: WebSocketUpgrade) -> Response {
    upgrade.on_upgrade(send_back)
}

async fn send_back(mut socket: WebSocket) {
    while let Some(Ok(message)) = socket.recv().await {
        let is_data = matches!(message, Message::Text(_) | Message::Binary(_));
        if is_data && socket.send(message).await.is_err() {
            return;
        }
    }
}
