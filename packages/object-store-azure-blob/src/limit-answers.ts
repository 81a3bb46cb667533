import type { Agent } from "node:http";
import type { Duplex } from "node:stream";

/** Whatever is read of a blob takes less; what is not a store may answer without end. */
const maxAnswerBytes = 32 * 1024 ** 2;

const limited = <Socket extends Duplex | null | undefined>(socket: Socket): Socket => {
  let bytes = 0;
  socket?.on("data", (part: Buffer) => {
    bytes += part.length;
    if (bytes > maxAnswerBytes) socket.destroy(new Error("the answer does not end"));
  });
  return socket;
};

/** Ends connections of an agent that keeps none alive once an answer is longer than any of a store, whoever reads it. */
export const limitAnswers = (agent: Agent): void => {
  const create = agent.createConnection.bind(agent);
  agent.createConnection = (options, callback) => {
    // Behind a proxy the connection comes later, by the callback.
    const later = callback && ((error: Error | null, socket: Duplex) => callback(error, limited(socket)));
    return limited(create(options, later));
  };
};
