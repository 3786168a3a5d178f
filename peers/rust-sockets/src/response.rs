use std::io;
use std::time::SystemTime;

use httpdate::HttpDate;

use crate::Request;

#[derive(Clone, Copy)]
pub enum Status {
    Ok,
    BadRequest,
    NotFound,
    MethodNotAllowed,
    ContentTooLarge,
    InternalServerError,
    NotImplemented,
}

impl Status {
    fn line(self) -> &'static str {
        match self {
            Self::Ok => "200 OK",
            Self::BadRequest => "400 Bad Request",
            Self::NotFound => "404 Not Found",
            Self::MethodNotAllowed => "405 Method Not Allowed\r\nAllow: GET, HEAD",
            Self::ContentTooLarge => "413 Content Too Large",
            Self::InternalServerError => "500 Internal Server Error",
            Self::NotImplemented => "501 Not Implemented",
        }
    }
}

pub struct Response {
    status: Status,
    content_type: &'static str,
    body: Vec<u8>,
}

impl Response {
    pub fn text(text: &str) -> Self {
        Self {
            status: Status::Ok,
            content_type: "text/plain;charset=UTF-8",
            body: text.into(),
        }
    }

    pub fn html(file: io::Result<Vec<u8>>) -> Self {
        match file {
            Ok(body) => Self {
                status: Status::Ok,
                content_type: "text/html;charset=utf-8",
                body,
            },
            Err(_) => Self::error(Status::InternalServerError),
        }
    }

    pub fn error(status: Status) -> Self {
        Self {
            status,
            ..Self::text("")
        }
    }

    /// The bytes that answer the request.
    pub fn to(&self, request: &Request) -> Vec<u8> {
        let connection = if request.keep_alive {
            "keep-alive"
        } else {
            "close"
        };
        let mut bytes = format!(
            "HTTP/1.1 {}\r\nDate: {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nConnection: {connection}\r\n\r\n",
            self.status.line(),
            HttpDate::from(SystemTime::now()),
            self.content_type,
            self.body.len(),
        )
        .into_bytes();
        if !request.is_head {
            bytes.extend_from_slice(&self.body);
        }
        bytes
    }
}
