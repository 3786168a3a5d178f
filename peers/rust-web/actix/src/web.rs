//! What servers of the web do: files, uploads, events and WebSockets.

use std::convert::Infallible;

use actix_web::web::{Bytes, Json, Payload, PayloadConfig, Query, ServiceConfig};
use actix_web::{Error, HttpRequest, HttpResponse, rt};
use actix_ws::{AggregatedMessage, AggregatedMessageStream, Session};
use futures_util::StreamExt;
use shared::events::{Parameters, events};
use shared::upload::{MAX_BYTES, Uploaded};

use crate::failure::Refused;
use crate::methods::{files, get, post};

const MAX_MESSAGE: usize = 1 << 20;

pub fn routes(folder: &str) -> impl FnOnce(&mut ServiceConfig) {
    let files = files("/static", folder);
    move |config| {
        config
            .service(post("/upload", upload).app_data(PayloadConfig::new(MAX_BYTES)))
            .service(get("/stream", stream))
            .service(get("/echo", echo))
            .service(files);
    }
}

async fn upload(body: Bytes) -> Json<Uploaded> {
    Json(Uploaded::of(&body))
}

async fn stream(Query(parameters): Query<Parameters>) -> Result<HttpResponse, Refused> {
    let events = events(parameters)?;
    let chunks = events.map(|data| Ok::<_, Infallible>(Bytes::from(format!("data: {data}\n\n"))));
    Ok(HttpResponse::Ok()
        .content_type("text/event-stream")
        .streaming(chunks))
}

async fn echo(request: HttpRequest, body: Payload) -> Result<HttpResponse, Error> {
    let (response, session, messages) = actix_ws::handle(&request, body)?;
    let messages = messages
        .max_frame_size(MAX_MESSAGE)
        .aggregate_continuations()
        .max_continuation_size(MAX_MESSAGE);
    rt::spawn(send_back(session, messages));
    Ok(response)
}

async fn send_back(mut session: Session, mut messages: AggregatedMessageStream) {
    while let Some(Ok(message)) = messages.next().await {
        let sent = match message {
            AggregatedMessage::Text(text) => session.text(text).await,
            AggregatedMessage::Binary(bytes) => session.binary(bytes).await,
            AggregatedMessage::Ping(bytes) => session.pong(&bytes).await,
            AggregatedMessage::Pong(_) => Ok(()),
            AggregatedMessage::Close(_) => break,
        };
        if sent.is_err() {
            return; // the client has gone
        }
    }
    let _ = session.close(None).await;
}
