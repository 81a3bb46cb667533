import { isIP } from "node:net";
import type { Passage } from "../network/passage.ts";
import { fitsPattern } from "../unix/pattern.ts";

/** An address of the internet that the machines of a simulation see. */
export interface InternetPlace {
  /** Addresses with `*` for any characters, whose host is written out: `https://dl.k8s.io/*`. */
  readonly urls: readonly string[];
  /** Returns the content at an address; `undefined` if there is none. Addresses have no query. */
  readonly answer: (url: URL) => string | undefined;
  /** It answers with another address first: who does not follow has nothing. */
  readonly redirects?: boolean;
  /** The address that it leads to. Default: one that no one asks for. */
  readonly leadsTo?: (url: URL) => string;
}

/** Returns whether the machine gets there at all. */
export type WayTo = (url: URL) => Passage;

/** Answer to a request. `unresolved`: the name of the host does not resolve; `dropped`: no response comes back. */
export type InternetAnswer =
  | { readonly kind: "unresolved" }
  | { readonly kind: "dropped" }
  | {
      readonly kind: "answer";
      readonly status: number;
      readonly body: string;
      readonly redirects: boolean;
      readonly leadsTo?: string;
    };

const notFound: InternetAnswer = { kind: "answer", status: 404, body: "404: Not Found\n", redirects: false };

const hostOf = (pattern: string): string => /^https?:\/\/([^/]+)/.exec(pattern)?.[1] ?? "";

/** The internet, as one machine sees it: a table, and the way there. */
export class Internet {
  readonly #places: readonly InternetPlace[];
  readonly #hosts: ReadonlySet<string>;
  readonly #wayTo: WayTo;

  /** The first place that has an answer gives it. `wayTo`: default always open. */
  constructor(places: readonly InternetPlace[], wayTo: WayTo = () => "open") {
    this.#places = places;
    this.#wayTo = wayTo;
    this.#hosts = new Set(places.flatMap(({ urls }) => urls.map(hostOf)));
  }

  /** Returns the outcome of a connection to the host of an address. */
  reach(url: URL): Passage {
    const passage = this.#wayTo(url);
    const isAddress = isIP(url.hostname.replace(/^\[|\]$/g, "")) !== 0 || url.hostname === "localhost";
    return isAddress || this.#hosts.has(url.host) ? passage : "unresolved";
  }

  get(address: string): InternetAnswer {
    const url = new URL(address);
    const passage = this.reach(url);
    if (passage !== "open") return { kind: passage };
    const plain = `${url.protocol}//${url.host}${url.pathname}`;
    for (const { answer, leadsTo, redirects = false, urls } of this.#places) {
      // Most hosts serve both, and send the one to the other.
      if (
        !urls.some((pattern) => fitsPattern(pattern, plain) || fitsPattern(pattern, plain.replace(/^http:/, "https:")))
      ) {
        continue;
      }
      const body = answer(url);
      if (body === undefined) continue;
      return { kind: "answer", status: 200, body, redirects, ...(leadsTo !== undefined && { leadsTo: leadsTo(url) }) };
    }
    return notFound;
  }
}
