use actix_web::http::header::ALLOW;
use actix_web::{FromRequest, Handler, HttpResponse, Resource, Responder, guard, web};

/// A resource that answers GET and HEAD, and 405 to anything else, which Actix Web leaves to its users.
pub fn get<F, Args>(path: &str, handler: F) -> Resource
where
    F: Handler<Args>,
    Args: FromRequest + 'static,
    F::Output: Responder + 'static,
{
    let methods = guard::Any(guard::Get()).or(guard::Head());
    web::resource(path)
        .route(web::route().guard(methods).to(handler))
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

async fn refuse(allowed: &'static str) -> HttpResponse {
    HttpResponse::MethodNotAllowed()
        .insert_header((ALLOW, allowed))
        .finish()
}
