package stampede.ktor

import io.ktor.http.HttpHeaders
import io.ktor.http.HttpStatusCode
import io.ktor.serialization.kotlinx.json.json
import io.ktor.server.application.Application
import io.ktor.server.application.install
import io.ktor.server.engine.connector
import io.ktor.server.engine.embeddedServer
import io.ktor.server.engine.sslConnector
import io.ktor.server.netty.Netty
import io.ktor.server.netty.NettyApplicationEngine
import io.ktor.server.plugins.autohead.AutoHeadResponse
import io.ktor.server.plugins.contentnegotiation.ContentNegotiation
import io.ktor.server.plugins.defaultheaders.DefaultHeaders
import io.ktor.server.plugins.statuspages.StatusPages
import io.ktor.server.request.path
import io.ktor.server.response.header
import io.ktor.server.response.respond
import io.ktor.server.routing.routing
import io.ktor.server.websocket.WebSockets
import kotlin.io.path.Path

private val posted = setOf("/schema", "/upload")

/** A server of Ktor on Netty: https://ktor.io/docs/server-create-a-new-project.html */
fun main() {
    embeddedServer(Netty, configure = { listen() }, module = Application::module).start(wait = true)
}

private fun NettyApplicationEngine.Configuration.listen() {
    val workers = number("WORKERS", 1)
    // Handlers run on the threads that read and write
    shareWorkGroup = true
    workerGroupSize = workers
    callGroupSize = 0
    val certificate = variable("TLS_CERT")
    if (certificate == null) {
        connector {
            host = variable("HOST") ?: host
            port = number("PORT", port)
        }
        return
    }
    val keys = keyStoreOf(Path(certificate), Path(variable("TLS_KEY")!!))
    sslConnector(keys, ALIAS, { charArrayOf() }, { charArrayOf() }) {
        host = variable("HOST") ?: host
        port = number("PORT", port)
    }
}

fun Application.module() {
    install(AutoHeadResponse)
    install(ContentNegotiation) { json() }
    install(DefaultHeaders)
    install(WebSockets) { maxFrameSize = LONGEST_MESSAGE }
    install(StatusPages) {
        // Ktor itself leaves Allow out
        status(HttpStatusCode.MethodNotAllowed) { call, status ->
            val allowed = if (call.request.path() in posted) "POST" else "GET, HEAD"
            call.response.header(HttpHeaders.Allow, allowed)
            call.respond(status)
        }
    }
    val database = Database(number("DB_POOL", 10))
    routing {
        pages()
        rows(database)
        worlds(database)
        fortunes(database)
        schema()
        web()
    }
}

fun variable(name: String): String? = System.getenv(name)

fun number(name: String, fallback: Int): Int = variable(name)?.toInt() ?: fallback
