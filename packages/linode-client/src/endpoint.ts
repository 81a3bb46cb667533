/** Where the API is. */
export interface Endpoint {
  /** Without a trailing slash. */
  readonly url: string;
  readonly version: string;
}

const defaultEndpoint: Endpoint = { url: "https://api.linode.com", version: "v4" };

/**
 * A full URL such as `https://api.linode.com/v4beta` is split into base and version; a URL without a scheme is https.
 * An explicit version wins. Throws a TypeError for something that is not a URL.
 */
export const endpoint = (url: string | undefined, version: string | undefined): Endpoint => {
  if (url === undefined || url === "") return { ...defaultEndpoint, version: version ?? defaultEndpoint.version };
  const parsed = new URL(/^[a-z]+:\/\//i.test(url) ? url : `https://${url}`);
  const segments = parsed.pathname.split("/").filter((segment) => segment !== "");
  const found = segments.at(-1)?.startsWith("v") === true ? segments.pop() : undefined;
  return {
    url: [parsed.origin, ...segments].join("/"),
    version: version ?? found ?? defaultEndpoint.version,
  };
};
