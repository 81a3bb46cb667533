import { type ClientHttp2Session, connect } from "node:http2";
import { connect as connectSocket } from "node:net";
import type { Random } from "@capstan/contract";
import { below, mutate, pick } from "./mutate.ts";
import { machines, server, type Fuzzed, type FuzzedMachine, type Scene } from "./scene.ts";

const plain = "/github.com.tinkerbell.tink.protos.workflow.WorkflowService";
const methods = [
  "/proto.WorkflowService/ReportActionStatus",
  "/proto.WorkflowService/GetWorkflowActions",
  "/proto.WorkflowService/GetWorkflowContexts",
  `${plain}/ReportActionStatus`,
  `${plain}/GetWorkflowActions`,
  `${plain}/GetWorkflowContexts`,
  `${plain}/GetWorkflowData`,
  `${plain}/UpdateWorkflowData`,
  "/proto.WorkflowService/Nothing",
];
/** Waits for an action, so its caller goes away at once. */
const waiting = "/proto.WorkflowService/GetAction";

const field = (number: number, value: string): Buffer =>
  Buffer.concat([Buffer.from([number * 8 + 2, value.length]), Buffer.from(value)]);

/** Messages have texts in their first fields, and a number in the fourth of some. */
const message = (random: Random, caller: FuzzedMachine): Buffer => {
  const machine = random.next() < 0.7 ? caller : pick(random, machines);
  const texts = [machine.mac, machine.name, `case-1/${machine.name}`, "t", "one", ""];
  const fields = [1, 2, 3, 4, 6, 8]
    .filter(() => random.next() < 0.7)
    .map((number) => field(number, pick(random, texts)));
  if (random.next() < 0.5) fields.push(Buffer.from([4 * 8, below(random, 6)]));
  return Buffer.concat(fields);
};

const framed = (random: Random, caller: FuzzedMachine): Buffer => {
  const body = mutate(random, message(random, caller));
  const head = Buffer.alloc(5);
  head.writeUInt32BE(body.length, 1);
  const frame = Buffer.concat([head, body]);
  return random.next() < 0.2 ? mutate(random, frame) : frame;
};

interface Answer {
  readonly status: string;
  readonly text: string;
}

const call = (session: ClientHttp2Session, path: string, body: Buffer): Promise<Answer> =>
  new Promise((resolve) => {
    const stream = session.request({
      ":method": "POST",
      ":path": path,
      "content-type": "application/grpc",
      te: "trailers",
    });
    const parts: Buffer[] = [];
    let status = "";
    const take = (headers: Readonly<Record<string, unknown>>): void => {
      const said = headers["grpc-status"];
      if (typeof said === "string") status = said;
    };
    stream.on("response", take);
    stream.on("trailers", take);
    stream.on("data", (part: Buffer) => parts.push(part));
    stream.on("error", () => undefined);
    stream.on("close", () => resolve({ status, text: Buffer.concat(parts).toString("latin1") }));
    stream.end(body);
    if (path === waiting) setImmediate(() => stream.destroy());
  });

const sessionOf = ({ address }: FuzzedMachine, port: number): ClientHttp2Session => {
  const session = connect(`http://${server}:${port}`, {
    createConnection: () => connectSocket({ host: server, port, localAddress: address }),
  });
  session.on("error", () => undefined);
  return session;
};

/** UNKNOWN says that the server, not the caller, made a mistake; INTERNAL says of bytes that they are not a message. */
const isMistake = ({ status }: Answer): boolean => status === "2";

/** Sends random calls of all generations of agents; returns how many were served, and every wrong answer. */
export const fuzzGrpc = async ({ ports }: Scene, count: number, random: Random): Promise<Fuzzed> => {
  const wrong: string[] = [];
  let served = 0;
  const sessions = new Map<FuzzedMachine, ClientHttp2Session>();
  for (let index = 0; index < count; index += 1) {
    const machine = pick(random, machines);
    let session = sessions.get(machine);
    if (session === undefined || session.closed || session.destroyed) {
      session = sessionOf(machine, ports.grpc);
      sessions.set(machine, session);
    }
    const path = random.next() < 0.1 ? waiting : pick(random, methods);
    const body = framed(random, machine);
    const answer = await call(session, path, body);
    if (answer.status === "0" && answer.text !== "") served += 1;
    const shown = `${path} ${body.toString("hex")}: ${answer.status} ${JSON.stringify(answer.text.slice(0, 300))}`;
    if (isMistake(answer)) wrong.push(`grpc: a mistake of the server: ${shown}`);
    if (machines.some((each) => each !== machine && answer.text.includes(each.secret))) {
      wrong.push(`grpc: data of another machine, for ${machine.name}: ${shown}`);
    }
  }
  for (const session of sessions.values()) session.destroy();
  return { served, wrong };
};
