import type { AddressGuard } from "@capstan/contract";
import { Agent, type Dispatcher, request } from "undici";

export interface IsoRequest {
  readonly url: string;
  readonly isHead: boolean;
  /** Bytes that are wanted: first and last. */
  readonly range?: readonly [number, number];
}

/** An image, as its server has it. */
export interface IsoSource {
  /** Follows redirects. Throws when no one answers, or an address is refused. */
  readonly fetch: (wanted: IsoRequest) => Promise<Dispatcher.ResponseData>;
  readonly close: () => Promise<void>;
}

const mostRedirects = 10;

const isRedirect = ({ statusCode }: Dispatcher.ResponseData): boolean => statusCode >= 300 && statusCode < 400;

export const isoSource = ({
  guard,
  signal,
}: {
  readonly guard: AddressGuard | undefined;
  readonly signal: AbortSignal;
}): IsoSource => {
  const agent = new Agent(guard === undefined ? {} : { connect: { lookup: guard.lookup } });
  const once = (url: string, { isHead, range }: IsoRequest): Promise<Dispatcher.ResponseData> => {
    guard?.check(url);
    const headers = range === undefined ? {} : { range: `bytes=${range[0]}-${range[1]}` };
    return request(url, { method: isHead ? "HEAD" : "GET", headers, dispatcher: agent, signal });
  };
  return {
    fetch: async (wanted) => {
      let { url } = wanted;
      for (let redirects = 0; ; redirects += 1) {
        const answer = await once(url, wanted);
        const { location } = answer.headers;
        if (!isRedirect(answer) || typeof location !== "string") return answer;
        await answer.body.dump();
        if (redirects === mostRedirects) throw new Error(`more than ${mostRedirects} redirects from ${wanted.url}`);
        url = new URL(location, url).href;
        if (!/^https?:/.test(url)) throw new Error(`a redirect from ${wanted.url} leads to neither http nor https`);
      }
    },
    close: () => agent.destroy(),
  };
};
