use std::env;
use std::error::Error;

pub use rustls::ServerConfig;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};

/// What HTTPS needs, if there is to be any.
pub fn config() -> Result<Option<ServerConfig>, Box<dyn Error>> {
    let Ok(path) = env::var("TLS_CERT") else {
        return Ok(None);
    };
    let chain = CertificateDer::pem_file_iter(path)?.collect::<Result<_, _>>()?;
    let key = PrivateKeyDer::from_pem_file(env::var("TLS_KEY")?)?;
    let config = ServerConfig::builder().with_no_client_auth();
    Ok(Some(config.with_single_cert(chain, key)?))
}
