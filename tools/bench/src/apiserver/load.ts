import { churn } from "./churn.ts";
import { Load, type LoadOptions, workloads } from "./workloads.ts";

/**
 * Requests of a bench to its load generator: to prepare for a server, to run a workload, or to churn for some seconds.
 */
export type LoadRequest =
  | { readonly prepare: string; readonly options: LoadOptions }
  | { readonly run: string }
  | { readonly churn: number };

let load: Load | undefined;

const answer = async (request: LoadRequest): Promise<unknown> => {
  if ("prepare" in request) {
    load = new Load(request.prepare, request.options);
    await load.prepare();
    return {};
  }
  if (load === undefined) {
    throw new Error("the load generator has no server yet");
  }
  return "churn" in request
    ? await churn(load, request.churn)
    : await workloads.find(({ title }) => title === request.run)?.run(load);
};

process.once("disconnect", () => process.exit());
process.on("message", (request: LoadRequest) => {
  answer(request).then(
    (result) => process.send?.({ result }),
    (error: unknown) => process.send?.({ error: error instanceof Error ? error.stack : String(error) }),
  );
});
