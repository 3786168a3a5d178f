use actix_files::Files;
use actix_web::guard::{self, Guard};
use actix_web::http::header::ALLOW;
use actix_web::{FromRequest, Handler, HttpResponse, Resource, Responder, Scope, web};

/// A resource that answers GET and HEAD, and 405 to anything else, which Actix Web leaves to its users.
pub fn get<F, Args>(path: &str, handler: F) -> Resource
where
    F: Handler<Args>,
    Args: FromRequest + 'static,
    F::Output: Responder + 'static,
{
    web::resource(path)
        .route(web::route().guard(reads()).to(handler))
        .default_service(web::to(|| refuse("GET, HEAD")))
}

pub fn post<F, Args>(path: &str, handler: F) -> Resource
where
    F: Handler<Args>,
    Args: FromRequest + 'static,
    F::Output: Responder + 'static,
{
    web::resource(path)
        .route(web::post().to(handler))
        .default_service(web::to(|| refuse("POST")))
}

/// Files of a folder, with the methods of `get`.
pub fn files(path: &str, folder: &str) -> Scope {
    web::scope(path)
        .service(Files::new("", folder).guard(reads()))
        .service(web::resource("/{path:.*}").to(|| refuse("GET, HEAD")))
}

fn reads() -> impl Guard {
    guard::Any(guard::Get()).or(guard::Head())
}

async fn refuse(allowed: &'static str) -> HttpResponse {
    HttpResponse::MethodNotAllowed()
        .insert_header((ALLOW, allowed))
        .finish()
}
