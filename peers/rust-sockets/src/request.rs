use crate::Status;

const MAX_HEADERS: usize = 64;
const MAX_BYTES: usize = 65_536;

/// A request, as far as these servers look at it.
pub struct Request {
    /// Path and query, or the status that refuses the request.
    pub target: Result<String, Status>,
    pub is_head: bool,
    pub keep_alive: bool,
}

impl Request {
    /// Takes the first request off the input, with its body, once it is there whole.
    pub fn take(input: &mut Vec<u8>) -> Option<Self> {
        match parse(input) {
            Ok(Some((request, length))) => {
                input.drain(..length);
                Some(request)
            }
            Ok(None) if input.len() < MAX_BYTES => None,
            Ok(None) => Some(Self::refused(Status::ContentTooLarge)),
            Err(status) => Some(Self::refused(status)),
        }
    }

    /// Where the next request begins is unknown, so the connection ends.
    fn refused(status: Status) -> Self {
        Self {
            target: Err(status),
            is_head: false,
            keep_alive: false,
        }
    }
}

/// Returns the first request and its length in bytes, or `None` if there is more of it to come.
fn parse(input: &[u8]) -> Result<Option<(Request, usize)>, Status> {
    let mut headers = [httparse::EMPTY_HEADER; MAX_HEADERS];
    let mut head = httparse::Request::new(&mut headers);
    let parsed = head.parse(input).map_err(|_| Status::BadRequest)?;
    let httparse::Status::Complete(head_length) = parsed else {
        return Ok(None);
    };

    let is_http_11 = head.version == Some(1);
    let (mut hosts, mut body_length, mut keep_alive) = (0, None, is_http_11);
    for header in head.headers {
        let value = std::str::from_utf8(header.value).unwrap_or_default();
        match header.name.to_ascii_lowercase().as_str() {
            "host" => hosts += 1,
            "connection" => {
                let mut options = value.split(',').map(str::trim);
                keep_alive = if is_http_11 {
                    keep_alive && !options.any(|option| option.eq_ignore_ascii_case("close"))
                } else {
                    options.any(|option| option.eq_ignore_ascii_case("keep-alive"))
                };
            }
            "content-length" => {
                let length = content_length(value).ok_or(Status::BadRequest)?;
                if body_length
                    .replace(length)
                    .is_some_and(|other| other != length)
                {
                    return Err(Status::BadRequest);
                }
            }
            "transfer-encoding" => return Err(Status::NotImplemented),
            _ => {}
        }
    }
    if is_http_11 && hosts != 1 {
        return Err(Status::BadRequest);
    }

    let length = head_length + body_length.unwrap_or(0);
    if length > input.len() {
        return Ok(None);
    }
    let target = match head.method {
        Some("GET" | "HEAD") => Ok(head.path.unwrap_or_default().to_owned()),
        _ => Err(Status::MethodNotAllowed),
    };
    let request = Request {
        target,
        is_head: head.method == Some("HEAD"),
        keep_alive,
    };
    Ok(Some((request, length)))
}

fn content_length(value: &str) -> Option<usize> {
    let digits = value.bytes().all(|byte| byte.is_ascii_digit());
    digits
        .then(|| value.parse::<u32>().ok())
        .flatten()
        .map(|length| length as usize)
}
