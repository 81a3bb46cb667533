import type { Finding, Rule } from "../repository.ts";

/** Globals that library code must not use, and their replacements. */
const globals: readonly { readonly pattern: RegExp; readonly message: string; readonly except?: RegExp }[] = [
  { pattern: /\bprocess\.env\b/, message: "process.env: take options" },
  { pattern: /\bconsole\.(log|error|warn|info|debug)\b/, message: "console: take a Logger" },
  { pattern: /\bDate\.now\b/, message: "Date.now: take a Clock", except: /runtime\/src\/system-clock\.ts$/ },
  { pattern: /\bnew Date\(\)/, message: "new Date(): take a Clock" },
  {
    // The timeout of a socket is an option of that socket.
    pattern: /(?<!\bsocket\.)\b(setTimeout|setInterval)\(/,
    message: "timers: take a Clock",
    // Processor time of threads passes whatever a Clock says.
    except: /runtime\/src\/system-clock\.ts$|linode-client\/src\/system\.ts$|evaluation\/src\/processor-time\.ts$/,
  },
  { pattern: /\bMath\.random\b/, message: "Math.random: take a Random", except: /linode-client\/src\/system\.ts$/ },
];

/** Apps and tools stand at the edge; everything else takes its surroundings as arguments. */
export const forbiddenGlobalsRule: Rule = ({ packages }) =>
  packages
    .filter(({ folder }) => folder.startsWith("packages/"))
    .flatMap(({ files }) => files)
    .filter((file) => !file.test)
    .flatMap((file) =>
      file.code
        .split("\n")
        .flatMap((line, index): readonly Finding[] =>
          globals
            .filter(({ pattern, except }) => pattern.test(line) && except?.test(file.path) !== true)
            .map(({ message }) => ({ rule: "forbidden-globals", where: `${file.path}:${index + 1}`, message })),
        ),
    );

/** Names of the wire contract are spelled out in one package; elsewhere its constants are used. */
export const contractNamesRule: Rule = ({ packages }) =>
  packages
    .filter(({ folder, name }) => folder.startsWith("packages/") && name !== "contract")
    .flatMap(({ files }) => files)
    .filter((file) => !file.test && !/\/api\//.test(file.path))
    .flatMap((file) =>
      file.code.split("\n").flatMap((line, index): readonly Finding[] =>
        /cluster\.x-k8s\.io/.test(line)
          ? [
              {
                rule: "contract-names",
                where: `${file.path}:${index + 1}`,
                message: "use the constants of @capstan/contract",
              },
            ]
          : [],
      ),
    );
