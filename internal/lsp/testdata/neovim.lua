-- Edits manifests in Neovim with `kubevet lsp` and prints what it sees as JSON. It needs
-- Neovim 0.7 or later. The program is in the environment variable KUBEVET.
local seen = {}

local function finish(err)
  seen.error = err
  io.stdout:write(vim.json.encode(seen) .. '\n')
  vim.cmd('qa!')
end

local function codes(buffer)
  return vim.tbl_map(function(d) return d.lnum .. ':' .. d.col .. ' ' .. tostring(d.code) end, vim.diagnostic.get(buffer))
end

local function await(what, holds)
  if not vim.wait(60000, holds, 20) then
    error('no ' .. what .. ': ' .. vim.inspect(codes(0)))
  end
end

local function run()
  vim.cmd('edit cron.yaml')
  local id = vim.lsp.start_client({
    name = 'kubevet',
    cmd = { vim.env.KUBEVET, 'lsp' },
    root_dir = vim.fn.getcwd(),
    on_exit = function(code) seen.exit = code end,
  })
  vim.lsp.buf_attach_client(0, id)
  await('finding', function() return #vim.diagnostic.get(0) > 0 end)
  seen.first = codes(0)

  local here = { textDocument = vim.lsp.util.make_text_document_params(), position = { line = 0, character = 14 } }
  local hover = vim.lsp.buf_request_sync(0, 'textDocument/hover', here, 60000)
  seen.hover = hover[id].result.contents.value

  local range = { start = { line = 0, character = 12 }, ['end'] = { line = 0, character = 12 } }
  local actions = vim.lsp.buf_request_sync(0, 'textDocument/codeAction',
    { textDocument = here.textDocument, range = range, context = { diagnostics = {} } }, 60000)
  seen.titles = vim.tbl_map(function(a) return a.title end, actions[id].result)
  vim.lsp.util.apply_workspace_edit(actions[id].result[1].edit, 'utf-16')
  await('end of the finding', function() return #vim.diagnostic.get(0) == 0 end)
  seen.fixed = vim.api.nvim_buf_get_lines(0, 0, 1, false)[1]

  -- Typed behind an emoji, which is two UTF-16 code units: nothing but text in a comment.
  vim.api.nvim_buf_set_lines(0, 0, 0, false, { '# 😀é' })
  vim.api.nvim_buf_set_text(0, 0, 7, 0, 7, { ' done' })
  vim.api.nvim_buf_set_text(0, 1, 12, 1, 20, { 'batch/v1beta1' })
  await('finding of the typed version', function() return #vim.diagnostic.get(0) > 0 end)
  seen.typed = codes(0)

  vim.lsp.stop_client(id)
  await('exit', function() return seen.exit ~= nil end)
end

local ok, err = pcall(run)
finish(not ok and err or nil)
