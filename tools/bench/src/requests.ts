import type { Connection, HttpRequest } from "@capstan/kube";

/** Requests by verb and resource. */
export class RequestCounter {
  readonly counts = new Map<string, number>();

  /** A connection that counts what goes through it. */
  wrap(connection: Connection): Connection {
    return {
      url: connection.url,
      clock: connection.clock,
      send: (request) => {
        this.#count(request);
        return connection.send(request);
      },
      open: (request) => {
        this.#count({ ...request, method: "GET" }, "WATCH");
        return connection.open(request);
      },
      upgrade: (request) => connection.upgrade(request),
      close: () => connection.close(),
    };
  }

  reset(): void {
    this.counts.clear();
  }

  total(writesOnly = false): number {
    return [...this.counts]
      .filter(([key]) => !writesOnly || !/^(GET|WATCH)/.test(key))
      .reduce((sum, [, count]) => sum + count, 0);
  }

  #count(request: HttpRequest, verb: string = request.method): void {
    const key = `${verb} ${resourceOf(request.path)}`;
    this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
  }
}

/** `machines`, `machines/status`, ... of a path such as `/apis/g/v/namespaces/n/machines/m/status`. */
const resourceOf = (path: string): string => {
  const parts = (path.split("?", 1)[0] ?? "").split("/").filter((part) => part !== "");
  const rest = parts[0] === "api" ? parts.slice(2) : parts.slice(3);
  const own = rest[0] === "namespaces" && rest.length > 2 ? rest.slice(2) : rest;
  const [plural = parts.join("/"), , subresource] = own;
  return subresource === undefined ? plural : `${plural}/${subresource}`;
};
