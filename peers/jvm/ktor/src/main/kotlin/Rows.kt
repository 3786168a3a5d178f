package stampede.ktor

import io.ktor.server.response.respond
import io.ktor.server.routing.Route
import io.ktor.server.routing.get
import java.sql.ResultSet
import java.time.OffsetDateTime
import kotlin.random.Random
import kotlin.time.Instant
import kotlin.time.toKotlinInstant
import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable

private const val LAST_OFFSET = 200_000 - 10

@Serializable
private class Now(val ts: Instant)

@Serializable
private class User(val id: Int, @SerialName("full_name") val fullName: String, val email: String)

@Serializable
private class Book(
    val id: Int,
    val title: String,
    val author: String,
    val isbn: String,
    val language: String,
    val year: Int,
    val pages: Int,
)

@Serializable
private class Shelf(val from: String, val data: List<Book>)

fun Route.rows(database: Database) {
    get("/sql1") {
        val rows = database.use { it.query("SELECT now() AS ts", read = ::nowOf) }
        call.respond(rows.single())
    }

    get("/sql2") {
        val sql = "SELECT id, full_name, email FROM users LIMIT 10 OFFSET ?"
        val offset = Random.nextInt(LAST_OFFSET + 1)
        call.respond(database.use { it.query(sql, offset, read = ::userOf) })
    }

    get("/books") {
        val books = database.use { it.query("SELECT * FROM books", read = ::bookOf) }
        call.respond(Shelf("ktor", books))
    }
}

private fun nowOf(row: ResultSet) =
    Now(row.getObject("ts", OffsetDateTime::class.java).toInstant().toKotlinInstant())

private fun userOf(row: ResultSet) =
    User(row.getInt("id"), row.getString("full_name"), row.getString("email"))

private fun bookOf(row: ResultSet) = Book(
    id = row.getInt("id"),
    title = row.getString("title"),
    author = row.getString("author"),
    isbn = row.getString("isbn"),
    language = row.getString("language"),
    year = row.getInt("year"),
    pages = row.getInt("pages"),
)
