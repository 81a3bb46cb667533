import { silentLogger } from "@capstan/contract";
import { cryptoRandom, systemClock } from "@capstan/runtime";
import type { ApiServer } from "@capstan/apiserver";
import { startApiserver } from "../src/apiserver/start-apiserver.ts";
import type { ApiserverOptions } from "../src/apiserver/apiserver-options.ts";
import { openDataFolder, silentView } from "../src/embedded-up.ts";
import { createProgram } from "../src/program.ts";

/** What `capstan apiserver` starts for these arguments, in this process. */
export const startTestApiserver = async (
  args: readonly string[],
  environment: Partial<Parameters<typeof startApiserver>[1]> = {},
): Promise<ApiServer> => {
  let options: ApiserverOptions | undefined;
  const program = createProgram({
    apiserver: async (given) => {
      options = given;
      return 0;
    },
  });
  await program.run(["apiserver", ...args]);
  if (options === undefined) throw new Error(`these arguments are refused: ${args.join(" ")}`);
  const data = openDataFolder(options.dataDir, { temporary: options.inMemory });
  try {
    const server = await startApiserver(options, {
      clock: systemClock,
      random: cryptoRandom,
      log: silentLogger,
      view: silentView,
      data,
      variables: () => undefined,
      ...environment,
    });
    return {
      start: () => server.start(),
      url: server.url,
      caCertificate: server.caCertificate,
      get revision() {
        return server.revision;
      },
      adminKubeconfig: () => server.adminKubeconfig(),
      stop: async () => {
        await server.stop();
        data.close();
      },
    };
  } catch (error) {
    data.close();
    throw error;
  }
};
