package stampede.ktor

import com.zaxxer.hikari.HikariDataSource
import java.sql.Connection
import java.sql.ResultSet
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.withContext
import stampede.shared.PostgresUrl

/** A pool that connects when the first query comes: there may be no database at all. */
class Database(size: Int) {
    private val pool = HikariDataSource().apply {
        val url = PostgresUrl.fromEnvironment()
        jdbcUrl = url.jdbc()
        username = url.user()
        password = url.password()
        maximumPoolSize = size
    }

    // More threads could only wait for connections
    private val threads = Dispatchers.IO.limitedParallelism(size)

    suspend fun <T> use(block: (Connection) -> T): T = withContext(threads) { pool.connection.use(block) }
}

fun <T> Connection.query(sql: String, vararg parameters: Any, read: (ResultSet) -> T): List<T> =
    prepareStatement(sql).use { statement ->
        parameters.forEachIndexed { i, value -> statement.setObject(i + 1, value) }
        statement.executeQuery().use { rows -> buildList { while (rows.next()) add(read(rows)) } }
    }

fun Connection.update(sql: String, vararg parameters: Any): Int =
    prepareStatement(sql).use { statement ->
        parameters.forEachIndexed { i, value -> statement.setObject(i + 1, value) }
        statement.executeUpdate()
    }
