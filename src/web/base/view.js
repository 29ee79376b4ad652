// Declarative views: a page describes its elements, and `show` changes the document to match. Kept elements
// keep focus, scroll position and typed text.

const SVG = 'http://www.w3.org/2000/svg'

/** @typedef {import('../types.d.ts').Child} Child */
/** @typedef {import('../types.d.ts').Element} VNode */

/** The present description of each element. @type {WeakMap<Element, (VNode | string)[]>} */
const shown = new WeakMap()

/** @param {Child[]} children @param {(VNode | string)[]} into */
function flatten(children, into) {
  for (const child of children) {
    if (Array.isArray(child)) flatten(child, into)
    else if (typeof child === 'object' && child) into.push(child)
    else if (child !== false && child !== null && child !== undefined && child !== '')
      into.push(String(child))
  }
  return into
}

/**
 * Describes an element. Attributes beginning with `on` are listeners, `style` is an object, `key` identifies
 * the element among its siblings, and `made` is called with the new element.
 * @param {string} tag its name, with classes as in `button.main`
 * @param {Record<string, any> | null} [attrs]
 * @param {Child[]} children
 * @returns {VNode}
 */
export function h(tag, attrs, ...children) {
  const [name = 'div', ...classes] = tag.split('.')
  const all = { ...attrs }
  if (classes.length) all.class = [...classes, all.class].filter(Boolean).join(' ')
  const key = all.key
  delete all.key
  return { tag: name, attrs: all, children: flatten(children, []), key }
}

/**
 * Makes an element show exactly these children. If the focused element is removed, its container gets the
 * focus.
 * @param {Element} parent
 * @param {Child[]} children
 */
export function show(parent, ...children) {
  /** @type {(HTMLElement | SVGElement)[]} */
  const held = []
  for (let at = document.activeElement; at && at !== document.body; at = at.parentElement) {
    if (at instanceof HTMLElement || at instanceof SVGElement) held.push(at)
  }
  update(parent, flatten(children, []))
  if (held[0] === document.activeElement) return
  const rest = held.find(({ isConnected }) => isConnected)
  if (!rest || document.activeElement !== document.body) return
  if (!rest.hasAttribute('tabindex') && rest !== held[0]) rest.setAttribute('tabindex', '-1')
  rest.focus({ preventScroll: true })
}

/** @param {Element} parent @param {(VNode | string)[]} next */
function update(parent, next) {
  const before = shown.get(parent) ?? []
  const nodes = [...parent.childNodes]
  /** @type {Map<string, number>} */
  const keyed = new Map()
  /** @type {number[]} */
  const loose = []
  before.forEach((old, at) => {
    if (typeof old === 'object' && old.key !== undefined) keyed.set(old.tag + old.key, at)
    else loose.push(at)
  })
  const used = new Set()
  const made = next.map((child) => {
    const at = find(child, before, keyed, loose)
    const old = at === undefined ? undefined : before[at]
    const node = at === undefined ? undefined : nodes[at]
    if (at === undefined || old === undefined || !node) return create(child, parent)
    used.add(at)
    change(node, old, child)
    return node
  })
  nodes.forEach((node, at) => used.has(at) || node.remove())
  made.forEach((node, at) => {
    const there = parent.childNodes[at]
    if (there !== node) parent.insertBefore(node, there ?? null)
  })
  shown.set(parent, next)
}

/**
 * Returns the old child that becomes this one.
 * @param {VNode | string} child
 * @param {(VNode | string)[]} before
 * @param {Map<string, number>} keyed
 * @param {number[]} loose
 */
function find(child, before, keyed, loose) {
  if (typeof child === 'object' && child.key !== undefined) {
    const at = keyed.get(child.tag + child.key)
    keyed.delete(child.tag + child.key)
    return at
  }
  const place = loose.findIndex((at) => {
    const old = before[at]
    return typeof child === 'string'
      ? typeof old === 'string'
      : typeof old === 'object' && old.tag === child.tag
  })
  if (place < 0) return undefined
  // Children before it were removed.
  return loose.splice(0, place + 1).at(-1)
}

/** @param {VNode | string} child @param {Element} parent @returns {Node} */
function create(child, parent) {
  if (typeof child === 'string') return document.createTextNode(child)
  const isSvg = child.tag === 'svg' || (parent.namespaceURI === SVG && parent.localName !== 'foreignObject')
  const element = isSvg ? document.createElementNS(SVG, child.tag) : document.createElement(child.tag)
  for (const [name, value] of Object.entries(child.attrs)) set(element, name, value)
  update(element, child.children)
  // A select needs its options before its value.
  if (child.tag === 'select') set(element, 'value', child.attrs.value)
  child.attrs.made?.(element)
  return element
}

/** @param {Node} node @param {VNode | string} old @param {VNode | string} next */
function change(node, old, next) {
  if (old === next) return
  if (typeof next === 'string') {
    node.textContent = next
    return
  }
  const element = /** @type {Element} */ (node)
  const before = /** @type {VNode} */ (old).attrs
  for (const name of Object.keys(before)) if (!(name in next.attrs)) set(element, name, null)
  for (const [name, value] of Object.entries(next.attrs)) {
    // Typed text stays, unless the description changes.
    const drifts = (name === 'value' || name === 'checked') && element !== document.activeElement
    if (before[name] !== value || drifts) set(element, name, value)
  }
  update(element, next.children)
}

/** @param {any} element @param {string} name @param {any} value */
function set(element, name, value) {
  if (name === 'made') return
  if (name.startsWith('on')) element[name] = value
  else if ((name === 'value' && element.localName !== 'option') || name === 'checked') {
    if (element[name] !== (value ?? '')) element[name] = value ?? ''
  } else if (name === 'style') {
    for (const [property, text] of Object.entries(value ?? {})) element.style.setProperty(property, text)
  } else if (value === false || value === null || value === undefined) element.removeAttribute(name)
  else element.setAttribute(name, value === true ? '' : String(value))
}

/**
 * Returns a label for screen readers, and hides the shown text from them. A name must contain the shown text,
 * or voice control cannot find it.
 * @param {Child} words
 * @param {Child} shown
 */
export const said = (words, shown) => [
  h('span.unseen', null, words),
  h('span', { 'aria-hidden': 'true' }, shown),
]

/** Makes an element of a board a button, for mouse and keyboard. @param {() => void} act */
export const pressed = (act) => ({
  onclick: act,
  onkeydown: (/** @type {KeyboardEvent} */ event) => {
    if ((event.key !== 'Enter' && event.key !== ' ') || event.repeat) return
    event.preventDefault()
    act()
  },
})

/** Scrolls a growing list to its end, unless the reader has scrolled away. @param {Element} body */
export function stick(body) {
  let follows = true
  const look = () => {
    const here = body.querySelector('.here')
    // Shows the selected entry, otherwise the newest.
    if (here instanceof HTMLElement) {
      const isSeen =
        here.offsetTop >= body.scrollTop &&
        here.offsetTop + here.offsetHeight <= body.scrollTop + body.clientHeight
      if (!isSeen) body.scrollTop = here.offsetTop - body.clientHeight / 2
    } else if (follows) body.scrollTop = body.scrollHeight
  }
  setTimeout(look)
  body.addEventListener(
    'scroll',
    () => (follows = body.scrollHeight - body.scrollTop - body.clientHeight < 40),
  )
  new MutationObserver(look).observe(body, { childList: true, subtree: true, attributeFilter: ['class'] })
}
