import { Server, ServerCredentials, status, type ServiceDefinition } from "@grpc/grpc-js";
import type { RuntimeState } from "../../src/kubeadm/preflight/facts.ts";

const text = (field: number, value: string): Buffer =>
  Buffer.concat([Buffer.from([(field << 3) | 2, Buffer.byteLength(value)]), Buffer.from(value)]);
const message = (field: number, ...parts: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([(field << 3) | 2, body.length]), body]);
};

const names = ["runtime.v1.RuntimeService", "runtime.v1.ImageService"] as const;
const fine = Buffer.from([2 << 3, 1]);

/** What a runtime answers that is ready and has every image. */
const answers: Readonly<Record<(typeof names)[number], Readonly<Record<string, Buffer>>>> = {
  "runtime.v1.RuntimeService": {
    Version: Buffer.concat([text(1, "0.1.0"), text(2, "containerd"), text(3, "v2.1.4"), text(4, "v1")]),
    Status: message(1, message(1, text(1, "RuntimeReady"), fine), message(1, text(1, "NetworkReady"), fine)),
    RuntimeConfig: Buffer.alloc(0),
  },
  "runtime.v1.ImageService": {
    ImageFsInfo: Buffer.alloc(0),
    ImageStatus: message(1, text(1, "sha256:0"), Buffer.from([4 << 3, 1])),
  },
};

const same = (bytes: Buffer): Buffer => bytes;

/** A container runtime at a socket, as far as kubeadm asks it. */
export const serveRuntime = async (path: string, state: RuntimeState): Promise<void> => {
  const server = new Server();
  for (const name of names) {
    const methods = Object.entries(answers[name]);
    const definition = Object.fromEntries(
      methods.map(([method]) => [
        method,
        {
          path: `/${name}/${method}`,
          requestStream: false,
          responseStream: false,
          requestSerialize: same,
          requestDeserialize: same,
          responseSerialize: same,
          responseDeserialize: same,
        },
      ]),
    ) as unknown as ServiceDefinition;
    const refused = (method: string): string | undefined => {
      if (state === "no-cri") return `unknown service ${name}`;
      return state === "no-runtime-config" && method === "RuntimeConfig" ? `unknown method ${method}` : undefined;
    };
    server.addService(
      definition,
      Object.fromEntries(
        methods.map(([method, answer]) => [
          method,
          (_call: unknown, reply: (error: object | null, value?: Buffer) => void) => {
            const details = refused(method);
            if (details === undefined) reply(null, answer);
            else reply({ code: status.UNIMPLEMENTED, details });
          },
        ]),
      ),
    );
  }
  await new Promise<void>((resolve, reject) => {
    server.bindAsync(`unix://${path}`, ServerCredentials.createInsecure(), (error) =>
      error === null ? resolve() : reject(error),
    );
  });
};
