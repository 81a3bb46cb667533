import { seededRandom } from "@capstan/testing";
import { fuzzDhcp } from "./fuzz-dhcp.ts";
import { fuzzGrpc } from "./fuzz-grpc.ts";
import { fuzzHttp } from "./fuzz-http.ts";
import { fuzzTftp } from "./fuzz-tftp.ts";
import { type Fuzzed, startScene } from "./scene.ts";

/** The outcome of each kind of inputs. */
export type FuzzedMetal = Readonly<Record<"dhcp" | "grpc" | "http" | "tftp", Fuzzed>>;

/**
 * Sends made-up inputs, a quarter of each kind, to the services that machines call. Wrong are answers for another machine, and mistakes of
 * the server; a service that ends or does not answer any more makes it fail or wait.
 */
export const fuzzMetal = async ({
  inputs,
  seed,
}: {
  readonly inputs: number;
  readonly seed: number;
}): Promise<FuzzedMetal> => {
  const scene = await startScene();
  try {
    const share = Math.ceil(inputs / 4);
    return {
      dhcp: await fuzzDhcp(scene, share, seededRandom(seed)),
      http: await fuzzHttp(scene, share, seededRandom(seed)),
      tftp: await fuzzTftp(scene, share, seededRandom(seed)),
      grpc: await fuzzGrpc(scene, share, seededRandom(seed)),
    };
  } finally {
    await scene.stop();
  }
};
