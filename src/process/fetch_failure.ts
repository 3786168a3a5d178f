/** Explains failed downloads of package managers. fetch.ts needs this file, so it imports no package. */

/** A package manager's message for a failed download, and the settings that help. */
interface PackageManager {
  readonly name: string;
  /** Matches the failure. Groups: `item` (the package), `url` (its address) and `reason`. */
  readonly failure: RegExp;
  /** The other patterns find the parts that the message lacks in all of the output. */
  readonly item?: RegExp;
  readonly url?: RegExp;
  readonly reason?: RegExp;
  /** The variables or files that name a certificate authority, a registry, and a proxy. */
  readonly authority: string;
  readonly registry: string;
  readonly proxy?: string;
}

/** Messages of npm 11, Deno 2.9, pip 23, Go 1.26, Cargo 1.95 and Maven 3.8. */
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

/** Explains a failed download, with the settings that help; null if the output shows none. */
export function explainFetchFailure(output: string): string | null {
  for (const manager of PACKAGE_MANAGERS) {
    const found = output.match(manager.failure);
    if (found === null) continue;
    const { name, proxy = "HTTPS_PROXY", authority, registry } = manager;
    const [item, url, reason] = (["item", "url", "reason"] as const).map((part) =>
      found.groups?.[part] ?? (manager[part] && output.match(manager[part])?.[1])
    );
    const address = url === undefined ? null : URL.parse(url);
    const what = item ?? address?.pathname.slice(1) ?? "a package";
    const host = address?.host ?? "its registry";
    const cause = reason === undefined ? "" : `: ${reason.trim()}`;
    // npm writes the slash of a scope as %2f
    const named = what.replace(/%2f/i, "/");
    return `${name} could not fetch ${named} from ${host}${cause}. Is this machine online? For a proxy, set ${proxy}; for a private certificate authority, ${authority}; for another registry, ${registry}`;
  }
  return null;
}
