/** A package manager's message for a failed download, and the settings that help. */
interface PackageManager {
  readonly name: string;
  /** Matches the failure. Groups: `item` (the package), `url` (its address) and `reason`. */
  readonly failure: RegExp;
  /** Finds the package in all of the output, if it is not part of `failure`. */
  readonly item?: RegExp;
  /** Finds the address in all of the output, if it is not part of `failure`. */
  readonly url?: RegExp;
  /** Finds the cause in all of the output, if it is not part of `failure`. */
  readonly reason?: RegExp;
  /** The variable or file that names a certificate authority. */
  readonly authority: string;
  /** The variable or file that names another registry. */
  readonly registry: string;
  /** The variable or file that names a proxy. */
  readonly proxy?: string;
}

const PROXY = "HTTPS_PROXY";

/**
 * The known package managers. The formats of the messages are those of npm 11, Deno 2.9, pip 23, Go
 * 1.26, Cargo 1.95 and Maven 3.8.
 */
const PACKAGE_MANAGERS: readonly PackageManager[] = [
  {
    name: "npm",
    failure: /request to (?<url>https?:\/\/\S+\/(?<item>[^/\s]+)) failed, reason: (?<reason>.+)/,
    authority: "NODE_EXTRA_CA_CERTS",
    registry: "npm_config_registry",
  },
  {
    name: "Deno",
    failure:
      /(?:error sending request for url \((?<url>\S+)\): (?:client error \(Connect\): )?|(?=Bad response: ))(?<reason>.+)/,
    item: /npm package '([^']+)'/,
    url: /Download (\S+)\s+error:/,
    authority: "DENO_CERT",
    registry: "NPM_CONFIG_REGISTRY",
  },
  {
    name: "pip",
    failure: /No matching distribution found for (?<item>\S+)/,
    reason: /connection broken by '\w+\((?:.*object at \w+>: |.*?')(.+?)'\)+'/,
    authority: "PIP_CERT",
    registry: "PIP_INDEX_URL",
  },
  {
    name: "Go",
    failure: /(?<item>[^\s:]+@[^\s:]+): Get "(?<url>[^"]+)": (?<reason>.+)/,
    authority: "SSL_CERT_FILE",
    registry: "GOPROXY",
  },
  {
    name: "Cargo",
    failure: /failed to download from `(?<url>[^`]+)`/,
    item: /failed to (?:get|download)(?: replaced source registry)? `([^`]+)`/,
    reason: /^\s*(\[\d+\] .+)$/m,
    authority: "CARGO_HTTP_CAINFO",
    registry: "[source.crates-io] in Cargo's config.toml",
  },
  {
    name: "Maven",
    failure:
      /Could not transfer artifact (?<item>\S+) from\/to \S+ \((?<url>[^)]+)\): (?<reason>[^@\n]+)/,
    authority: "MAVEN_OPTS=-Djavax.net.ssl.trustStore=…",
    registry: "a mirror in ~/.m2/settings.xml",
    proxy: "proxies in ~/.m2/settings.xml",
  },
];

/**
 * Explains why a package could not be fetched.
 *
 * @param output the complete output of the package manager
 * @returns the package, its registry, the cause and the settings that help; null if the output shows
 * no failed download.
 */
export function explainFetchFailure(output: string): string | null {
  for (const manager of PACKAGE_MANAGERS) {
    const found = output.match(manager.failure);
    if (found === null) continue;
    const { item, reason, url = manager.url && output.match(manager.url)?.[1] } = found.groups ??
      {};
    const address = url === undefined ? null : URL.parse(url);
    const what = item ?? (manager.item && output.match(manager.item)?.[1]) ??
      address?.pathname.slice(1) ?? "a package";
    const host = address?.host ?? "its registry";
    const why = reason ?? (manager.reason && output.match(manager.reason)?.[1]);
    const cause = why === undefined ? "" : `: ${why.trim()}`;
    const { name, proxy = PROXY, authority, registry } = manager;
    // npm writes the slash of a scope as %2f
    const named = what.replace(/%2f/i, "/");
    return `${name} could not fetch ${named} from ${host}${cause}. Is this machine online? For a proxy, set ${proxy}; for a private certificate authority, ${authority}; for another registry, ${registry}`;
  }
  return null;
}
