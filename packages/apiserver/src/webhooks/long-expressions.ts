import { type AuthorizationAnswer, type AuthorizationQuery, PatienceSpent } from "@capstan/cel";
import { isCapstanError } from "@capstan/contract";
import {
  type Ask,
  defineEvaluation,
  type Evaluation,
  evaluateInThread,
  type EvaluateOptions,
} from "@capstan/evaluation";
import type { KubeObject } from "@capstan/schema";
import { type AdmissionVariables, compileMatchConditions, type MatchOutcome } from "../cel/admission-expressions.ts";
import { shortBudget } from "../cel/short-budget.ts";
import { tooManyRequests } from "../model/status-error.ts";
import { compilePolicy, type Findings, type Policy, wholeViolation } from "./policy.ts";
import type { Webhook } from "./webhook-set.ts";

/** What expressions see, without what they may ask. */
type Seen = Omit<AdmissionVariables, "authorize">;

/** The authorizer stays where the roles are: a thread asks it by the way of evaluations. */
const withAuthorizer = (seen: Seen, ask: Ask): AdmissionVariables => ({
  ...seen,
  authorize: (query) => ask(query) as AuthorizationAnswer,
});

const answered =
  (authorize: AdmissionVariables["authorize"]): Ask =>
  (question) =>
    authorize(question as AuthorizationQuery);

interface Conditions {
  readonly conditions: NonNullable<Webhook["settings"]["matchConditions"]>;
  readonly seen: Seen;
}

const longConditions = defineEvaluation(import.meta.url, {
  name: "apiserver/match-conditions",
  run: ({ conditions, seen }: Conditions, _effort, ask): MatchOutcome =>
    compileMatchConditions(conditions, { scope: "webhook", field: "matchConditions" }).evaluate(
      withAuthorizer(seen, ask),
    ),
});

const longPolicy = defineEvaluation(import.meta.url, {
  name: "apiserver/policy",
  run: ({ policy, seen }: { readonly policy: KubeObject; readonly seen: Seen }, _effort, ask): Findings =>
    compilePolicy(policy).find(withAuthorizer(seen, ask)),
});

/** What an evaluation gives in a thread; `failed` says what it gives when it takes too long there as well. */
const inThread = async <Input, Output>(
  evaluation: Evaluation<Input, Output>,
  input: Input,
  options: EvaluateOptions,
  failed: (problem: string) => Output,
): Promise<Output> => {
  try {
    return await evaluateInThread(evaluation, input, options);
  } catch (error) {
    if (isCapstanError(error, "evaluation.too_many")) throw tooManyRequests(error.message, 1);
    if (!isCapstanError(error)) throw error;
    return failed(error.message);
  }
};

/** Returns whether the conditions of a webhook match: found out at once when that is short, otherwise in a thread. */
export const matchOutcome = async (
  { conditions, settings }: Webhook,
  variables: AdmissionVariables,
  flow: string,
): Promise<MatchOutcome> => {
  const { matchConditions = [] } = settings;
  try {
    return conditions.evaluate(variables, shortBudget());
  } catch (error) {
    if (!(error instanceof PatienceSpent)) throw error;
    const { authorize, ...seen } = variables;
    const options = { what: "the conditions", flow, answer: answered(authorize) };
    return inThread(longConditions, { conditions: matchConditions, seen }, options, (problem) => ({ error: problem }));
  }
};

/** What a policy finds: at once when that is short, otherwise in a thread. */
export const policyFindings = async (
  policy: Policy,
  variables: AdmissionVariables,
  flow: string,
): Promise<Findings> => {
  try {
    return policy.find(variables, shortBudget);
  } catch (error) {
    if (!(error instanceof PatienceSpent)) throw error;
    const { authorize, ...seen } = variables;
    const options = { what: `policy ${policy.name}`, flow, answer: answered(authorize) };
    return inThread(longPolicy, { policy: policy.source, seen }, options, (problem) => ({
      violations: [wholeViolation("error", problem)],
      annotations: [],
    }));
  }
};
