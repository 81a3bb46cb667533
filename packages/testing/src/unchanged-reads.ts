import { setImmediate as nextTurn } from "node:timers/promises";
import type { Client } from "@capstan/kube";
import type { Resource } from "@capstan/schema";

/** Turns of the event loop that an answer from memory takes, about as many as one of the server: others go on meanwhile. */
const turns = 4;

/**
 * A client that asks for a thing once as long as nothing changes at the server, whose `revision` says so: most of what a test reads while
 * it waits is what it has read before. What is missing is asked for each time, since its kind may not be served yet.
 */
export const unchangedReads = (client: Client, revision: () => number): Client => {
  const answers = new Map<string, unknown>();
  let readAt = revision();
  const read = async <T>({ group, plural, version }: Resource, question: object, ask: () => Promise<T>): Promise<T> => {
    const before = revision();
    if (before !== readAt) answers.clear();
    readAt = before;
    const key = JSON.stringify([group, version, plural, question]);
    const known = answers.get(key);
    if (known !== undefined) {
      for (let turn = 0; turn < turns; turn++) await nextTurn();
      if (revision() === before) return known as T;
    }
    const answer = await ask();
    if (answer !== undefined && revision() === before && readAt === before) answers.set(key, answer);
    return answer;
  };
  return {
    get: (kind, key, options) => read(kind, key, () => client.get(kind, key, options)),
    find: (kind, key, options) => read(kind, key, () => client.find(kind, key, options)),
    list: (kind, options = {}) => {
      const { signal: _signal, timeoutMs: _timeoutMs, ...asked } = options;
      return read(kind, { list: asked }, () => client.list(kind, options));
    },
    create: (...given) => client.create(...given),
    update: (...given) => client.update(...given),
    patch: (...given) => client.patch(...given),
    delete: (...given) => client.delete(...given),
    forward: (...given) => client.forward(...given),
    request: (request) => client.request(request),
  };
};
