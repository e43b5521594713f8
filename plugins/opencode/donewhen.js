// donewhen's door in OpenCode: every event is told to `donewhen hook opencode EVENT` and its answer is obeyed.
// Calls are synchronous on purpose: while one runs, OpenCode can neither run the tool nor end the turn.
// donewhen ends with 0 or 2. Any other end means that it is gone or broken: then everything is allowed, the user
// is told once, and a note in the state folder lets the next start know.
import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, writeFileSync } from "node:fs"

const PROGRAM = "donewhen"
const STOPS = ["Stop", "SubagentStop"]
const MOST = 16 * 1024 * 1024
// No module of the program may come from the repository or from what the environment names.
const APART = { PYTHONPATH: "", PYTHONHOME: "", PYTHONSAFEPATH: "1", DONEWHEN_CLIENT_PROCESS: String(process.pid) }
const GONE = "donewhen could not start, so nothing is checked in this session. To repair it run: donewhen doctor. To remove it run: donewhen uninstall opencode, or delete its lines from the settings of opencode."
const STATE = process.env.DONEWHEN_STATE_DIR || `${process.env.XDG_STATE_HOME || `${process.env.HOME}/.local/state`}/donewhen`
const GAP = `${STATE}/hook-gaps/${process.pid}`

export const Donewhen = async ({ client, directory }) => {
  const parents = new Map() // session of a sub-agent -> session that started it
  const contexts = new Map() // session -> what its agent is told
  const started = new Set()
  const finished = new Set()
  const texts = new Map() // session -> last text of the agent
  const blocked = new Set()
  let told = false

  const gone = (event, status) => {
    if (told || existsSync(GAP)) return
    told = true
    try {
      mkdirSync(`${STATE}/hook-gaps`, { recursive: true, mode: 0o700 })
      writeFileSync(GAP, `opencode ${event} ${status}\n`, { mode: 0o600 })
    } catch {}
    console.error(GONE)
    Promise.resolve(client.tui?.showToast?.({ body: { message: GONE, variant: "warning" } })).catch(() => {})
  }

  const rootOf = (id) => {
    for (let hops = 0; parents.has(id) && hops < 50; hops += 1) id = parents.get(id)
    return id
  }

  const ask = (event, session, fields) => {
    const root = rootOf(session)
    const agent = root === session ? {} : { agent_id: session, agent_type: "subagent" }
    const payload = { session_id: root, cwd: directory, hook_event_name: event, ...agent, ...fields }
    const done = spawnSync(PROGRAM, ["hook", "opencode", event], {
      input: JSON.stringify(payload),
      cwd: directory,
      env: { ...process.env, ...APART },
      encoding: "utf8",
      timeout: STOPS.includes(event) ? 600000 : 60000,
      killSignal: "SIGKILL",
      maxBuffer: MOST,
    })
    if (done.status === 2) return { failed: true, why: `donewhen: ${(done.stderr || "").trim() || "refused"}` }
    if (done.status !== 0) {
      gone(event, done.status ?? done.error?.code)
      return { answer: {} }
    }
    try {
      return { answer: JSON.parse(done.stdout.trim() || "{}") }
    } catch {
      return { failed: true, why: "donewhen: its hook did not answer with JSON; run: donewhen doctor" }
    }
  }

  const learn = (session, result) => {
    const text = result.answer?.hookSpecificOutput?.additionalContext
    if (text) contexts.set(session, [...(contexts.get(session) ?? []), text].slice(-4))
  }

  const show = (result) => {
    const human = result.answer?.systemMessage
    if (!human) return
    console.error(human)
    Promise.resolve(client.tui?.showToast?.({ body: { message: human, variant: "info" } })).catch(() => {})
  }

  const begin = (session) => {
    if (started.has(session) || rootOf(session) !== session) return
    started.add(session)
    learn(session, ask("SessionStart", session, { source: "startup" }))
  }

  const stop = async (session) => {
    const event = rootOf(session) === session ? "Stop" : "SubagentStop"
    const result = ask(event, session, {
      stop_hook_active: blocked.has(session),
      last_assistant_message: texts.get(session) ?? "",
    })
    show(result)
    const refused = result.failed || result.answer.decision === "block"
    if (!refused) return blocked.delete(session)
    blocked.add(session)
    const text = result.failed ? result.why : result.answer.reason
    await client.session.promptAsync({ path: { id: session }, body: { parts: [{ type: "text", text }] } })
  }

  return {
    "chat.message": async (input, output) => {
      begin(input.sessionID)
      const prompt = output.parts.map((part) => (part.type === "text" ? part.text : "")).join("\n")
      const result = ask("UserPromptSubmit", input.sessionID, { prompt })
      if (result.failed) throw new Error(result.why)
      if (result.answer.decision === "block") throw new Error(result.answer.reason)
      learn(input.sessionID, result)
      show(result)
    },
    "experimental.chat.system.transform": async (input, output) => {
      for (const text of contexts.get(input?.sessionID) ?? []) output.system.push(text)
    },
    "tool.execute.before": async (input, output) => {
      const result = ask("PreToolUse", input.sessionID, {
        tool_name: input.tool,
        tool_input: output.args ?? {},
        tool_use_id: input.callID,
      })
      if (result.failed) throw new Error(result.why)
      const said = result.answer.hookSpecificOutput ?? {}
      if (said.permissionDecision && said.permissionDecision !== "allow") throw new Error(said.permissionDecisionReason)
    },
    "tool.execute.after": async (input, output) => {
      const result = ask("PostToolUse", input.sessionID, {
        tool_name: input.tool,
        tool_input: input.args ?? {},
        tool_use_id: input.callID,
        tool_response: { output: output.output, metadata: output.metadata },
      })
      if (result.failed) console.error(result.why)
    },
    event: async ({ event }) => {
      const { info, part } = event.properties ?? {}
      if (event.type === "session.created" && info) {
        if (info.parentID) parents.set(info.id, info.parentID)
        begin(info.id)
      }
      if (event.type !== "message.part.updated" || !part) return
      if (part.type === "text") texts.set(part.sessionID, part.text)
      const ends = part.type === "step-finish" && part.reason !== "tool-calls" && !finished.has(part.id)
      if (!ends) return
      finished.add(part.id)
      await stop(part.sessionID)
    },
  }
}
