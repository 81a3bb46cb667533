import type { Agent } from "node:http";
import { type AddressGuard, isCapstanError } from "@capstan/contract";

/** Has every connection of an agent checked, also those to where an answer redirects. */
export const guardAgent = (agent: Agent, guard: AddressGuard): void => {
  const create = agent.createConnection.bind(agent);
  agent.createConnection = (options, callback) => {
    const host = options.host ?? "";
    try {
      guard.check(`http://${host.includes(":") ? `[${host}]` : host}`);
    } catch (error) {
      callback?.(error as Error, undefined as never);
      return undefined;
    }
    return create({ ...options, lookup: guard.lookup }, callback);
  };
};

/** Resolves a login service's name, since what asks it does not repeat why it could not. Throws `runtime.address_refused`. */
export const checkName = (url: string, { lookup }: AddressGuard): Promise<void> =>
  new Promise((resolve, reject) => {
    lookup(new URL(url).hostname.replace(/^\[(.*)\]$/, "$1"), {}, (error) => {
      if (isCapstanError(error)) reject(error);
      else resolve();
    });
  });
