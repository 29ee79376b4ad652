// Games behind common proxies, and behind one that blocks streams.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import net from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { begun, browser, host, join, onTurn, open, person, server, silent, steps, view } from './support.mjs'

open({ flags: ['--trusted-proxy', '127.0.0.1', '--public-url', 'https://play.example'] })

const docs = new URL('../../../../docs/deploy/single/', import.meta.url)
const children = []
after(() => children.forEach((child) => child.kill('SIGKILL')))

/** Returns a free port. */
const freePort = () =>
  new Promise((done) => {
    const listening = net.createServer().listen(0, '127.0.0.1', () => {
      const { port } = listening.address()
      listening.close(() => done(port))
    })
  })

/** Waits until an address answers. */
async function up(url) {
  for (const until = Date.now() + 20_000; Date.now() < until;) {
    if (
      await fetch(`${url}/health/live`).then(
        (answer) => answer.ok,
        () => false,
      )
    )
      return url
  }
  throw new Error(`nothing answers at ${url}`)
}

/** Starts nginx with these lines in its `http` block. */
async function nginx(port, lines) {
  const folder = mkdtempSync(path.join(tmpdir(), 'nginx-'))
  mkdirSync(path.join(folder, 'logs'))
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  )
  writeFileSync(
    path.join(folder, 'nginx.conf'),
    `pid ${folder}/pid; error_log ${folder}/error.log; master_process off; events {}
    http { access_log off; ${paths.join(' ')} ${lines} }`,
  )
  children.push(
    spawn('/usr/sbin/nginx', ['-p', folder, '-c', `${folder}/nginx.conf`, '-g', 'daemon off;'], {
      stdio: 'ignore',
    }),
  )
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return up(`http://127.0.0.1:${port}`)
}

const backend = () => new URL(server.url).host

/** nginx in its simplest configuration, which speaks HTTP/1.0 to the server. */
async function plainNginx() {
  const port = await freePort()
  return nginx(port, `server { listen 127.0.0.1:${port}; location / { proxy_pass ${server.url}; } }`)
}

async function documentedNginx() {
  const port = await freePort()
  const block = readFileSync(new URL('nginx.conf', docs), 'utf8').replace(
    'listen 80;',
    `listen 127.0.0.1:${port};`,
  )
  return nginx(port, block.replace('127.0.0.1:8080', backend()))
}

async function caddy() {
  const port = await freePort()
  const folder = mkdtempSync(path.join(tmpdir(), 'caddy-'))
  const config = path.join(folder, 'Caddyfile')
  writeFileSync(
    config,
    `{\n\tadmin off\n\tauto_https off\n}\n${readFileSync(new URL('Caddyfile', docs), 'utf8')}`,
  )
  const env = {
    ...process.env,
    SITE: `http://127.0.0.1:${port}`,
    SERVER: backend(),
    HOME: folder,
    XDG_DATA_HOME: folder,
    XDG_CONFIG_HOME: folder,
  }
  children.push(
    spawn('caddy', ['run', '--config', config, '--adapter', 'caddyfile'], { env, stdio: 'ignore' }),
  )
  return up(`http://127.0.0.1:${port}`)
}

/** A proxy that refuses streams, or holds them back for ever. */
async function withoutStreams(how) {
  const port = await freePort()
  http
    .createServer((request, answer) => {
      if (request.headers.accept === 'text/event-stream') {
        answer.writeHead(how === 'refused' ? 400 : 200, {
          'content-type': how === 'refused' ? 'text/plain' : 'text/event-stream',
        })
        if (how === 'refused') answer.end('no')
        else answer.flushHeaders()
        return
      }
      const { method, url, headers } = request
      // The server may close a reused connection at that moment.
      const asked = http.request(`${server.url}${url}`, { agent: false, method, headers }, (told) => {
        answer.writeHead(told.statusCode, told.headers)
        told.pipe(answer)
      })
      asked.on('error', () => answer.destroy())
      request.pipe(asked)
    })
    .listen(port, '127.0.0.1')
    .unref()
  return `http://127.0.0.1:${port}`
}

/** Plays through a proxy: one player opens a table, another joins, and both see each other's moves. */
async function play(url) {
  const pages = [await person(browser, url), await person(browser, url)]
  for (const [at, page] of pages.entries()) {
    await page.locator('#name').fill(['Ada', 'Bruno'][at])
    await page.getByRole('button', { name: 'Continue without a game' }).click()
    await page.locator('.home').waitFor()
  }
  await join(pages[1], (await host(pages[0])).replace(/^https?:\/\/[^/]+/, url))
  await begun(pages)
  for (let moves = 0; moves < 2; moves += 1) {
    const page = await onTurn(pages)
    await page.locator('.tray button.command:enabled').first().click()
    await steps(page).first().waitFor()
    await page.getByRole('button', { name: /^Send/ }).click()
    await steps(page).first().waitFor({ state: 'detached' })
    const { seq } = await view(page)
    for (const one of pages)
      await one.waitForFunction((newest) => document.querySelector('.scrubber input')?.max >= newest, seq)
  }
  return pages
}

const close = (pages) => Promise.all(pages.map((page) => page.context().close()))

for (const [name, proxy] of [
  ['nginx with its plain default', plainNginx],
  ['nginx as it is documented', documentedNginx],
  ['caddy as it is documented', caddy],
]) {
  test(`a game is played behind ${name}`, async () => {
    const pages = await play(await proxy())
    for (const page of pages) assert.equal(await page.getByText('Live updates are blocked').count(), 0)
    silent(...pages)
    await close(pages)
  })
}

for (const how of ['refused', 'held back']) {
  test(`where streams are ${how}, the page says so, and looks by itself`, async () => {
    const url = await withoutStreams(how)
    const pages = await play(url)
    for (const page of pages) await page.getByText('Live updates are blocked').waitFor({ timeout: 20_000 })
    await close(pages)
  })
}
