package stampede.ktor

import java.nio.file.Path
import java.security.KeyFactory
import java.security.KeyStore
import java.security.cert.CertificateFactory
import java.security.spec.PKCS8EncodedKeySpec
import java.util.Base64
import kotlin.io.path.inputStream
import kotlin.io.path.readLines

const val ALIAS = "server"

private val X509 = CertificateFactory.getInstance("X.509")

/** A certificate and its key, both PEM, as Ktor wants them. */
fun keyStoreOf(certificate: Path, key: Path): KeyStore {
    val chain = certificate.inputStream().use { X509.generateCertificates(it) }
    val base64 = key.readLines().filterNot { it.startsWith("-----") }.joinToString("")
    val secret = PKCS8EncodedKeySpec(Base64.getDecoder().decode(base64))
    val algorithm = chain.first().publicKey.algorithm
    val privateKey = KeyFactory.getInstance(algorithm).generatePrivate(secret)
    return KeyStore.getInstance("PKCS12").apply {
        load(null)
        setKeyEntry(ALIAS, privateKey, charArrayOf(), chain.toTypedArray())
    }
}
