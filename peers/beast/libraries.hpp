// Preprocessed by a requirement in server.json: prints 100,000 * major + 100 * minor of Boost's version.
#if !__has_include(<boost/url.hpp>) || !__has_include(<kainjow/mustache.hpp>)
#error "Boost or kainjow's mustache is missing"
#endif
#include <boost/version.hpp>
BOOST_VERSION
