import { subscribe, unsubscribe } from "node:diagnostics_channel";

interface UndiciMessage {
  readonly request: { readonly origin?: string | URL };
}

/** Requests of undici to one server that are under way, by its diagnostics channels. */
export interface RequestsUnderWay {
  isBusy(): boolean;
  stop(): void;
}

/** Watches the requests that this process sends to a server, by its origin. */
export const requestsTo = (origin: string): RequestsUnderWay => {
  const underWay = new Set<object>();
  const begin = (message: unknown): void => {
    const { request } = message as UndiciMessage;
    if (String(request.origin) === origin) underWay.add(request);
  };
  const end = (message: unknown): void => void underWay.delete((message as UndiciMessage).request);
  const ends = ["undici:request:trailers", "undici:request:error"];
  subscribe("undici:request:create", begin);
  for (const channel of ends) subscribe(channel, end);
  return {
    isBusy: () => underWay.size > 0,
    stop: () => {
      unsubscribe("undici:request:create", begin);
      for (const channel of ends) unsubscribe(channel, end);
    },
  };
};
