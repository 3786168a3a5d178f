package stampede.spring;

/** A row of a page; public, because Spring compiles only expressions of public classes. */
public record Fortune(int id, String message) {}
