import { getCACertificates } from "node:tls";
import { CapstanError } from "@capstan/contract";
import { ProxyAgent } from "undici";
import type { Access, TlsMaterial } from "./access.ts";

/** Refuses a proxy that is spoken to in another way than HTTP, without repeating its address, which may hold a password. Throws `kube.proxy_unusable`. */
export const checkProxy = ({ url, proxyUrl }: Access): void => {
  if (proxyUrl === undefined) return;
  const protocol = URL.canParse(proxyUrl) ? new URL(proxyUrl).protocol : undefined;
  if (protocol === "http:" || protocol === "https:") return;
  const given = protocol?.startsWith("socks") === true ? "a SOCKS proxy" : "no HTTP proxy";
  throw new CapstanError({
    code: "kube.proxy_unusable",
    reason: "ProxyUnusable",
    message: `proxy-url for ${url} is ${given}; use for example http://proxy.example:3128, or remove it`,
    retry: { kind: "never" },
  });
};

/** Sends everything through the proxy at `uri`. Its own certificate may also be of the cluster's authority, as client-go asks. */
export const proxyLine = (uri: string, tls: TlsMaterial, options: Partial<ProxyAgent.Options>): ProxyAgent =>
  new ProxyAgent({
    ...options,
    uri,
    proxyTls: {
      ...options.proxyTls,
      ...(tls.ca !== undefined && { ca: [...getCACertificates("default"), tls.ca] }),
    },
  });
